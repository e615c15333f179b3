package etcdoperator.kube;

import org.slf4j.Logger;

/** An Event in the making. @param reason one word in CamelCase, for machines @param message a sentence, for people */
public record Notice(Type type, String reason, String message) {
    public enum Type {
        NORMAL("Normal"),
        WARNING("Warning");

        private final String word;

        Type(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    public static Notice normal(String reason, String message) {
        return new Notice(Type.NORMAL, reason, message);
    }

    public static Notice warning(String reason, String message) {
        return new Notice(Type.WARNING, reason, message);
    }

    /** The log says the same sentence. */
    public void log(Logger log) {
        switch (type) {
            case NORMAL -> log.info(message);
            case WARNING -> log.warn(message);
        }
    }
}
