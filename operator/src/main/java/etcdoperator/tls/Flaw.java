package etcdoperator.tls;

import java.time.Instant;
import java.util.List;

/** Something that is wrong with a certificate and what belongs to it. */
public sealed interface Flaw {
    /** What it is, as a part of a sentence; never holds anything of a key. */
    String words();

    /** @param part under which key it is in its Secret */
    record Unreadable(String part, String why) implements Flaw {
        @Override
        public String words() {
            return part + " cannot be read: " + why;
        }
    }

    record ForeignKey() implements Flaw {
        @Override
        public String words() {
            return "the key does not belong to the certificate";
        }
    }

    record NotYetValid(Instant notBefore) implements Flaw {
        @Override
        public String words() {
            return "the certificate is not valid before " + notBefore;
        }
    }

    record Ended(Instant notAfter) implements Flaw {
        @Override
        public String words() {
            return "the certificate ended on " + notAfter;
        }
    }

    /** @param trust under which key the trusted ones are in the Secret */
    record NotTrusted(String trust) implements Flaw {
        @Override
        public String words() {
            return "it is not signed by any certificate in " + trust;
        }
    }

    /** The signatures are right. To say that nobody signed it would send people the wrong way. */
    record SignerOutOfTime(String trust) implements Flaw {
        @Override
        public String words() {
            return "a certificate that it was signed by, in " + trust
                    + " or on the way to it, ended or is not valid yet";
        }
    }

    /** Go, and so etcd, has given these up; Java has not. */
    record WeakSignature(String algorithm) implements Flaw {
        @Override
        public String words() {
            return "it is signed by " + algorithm + ", which etcd does not accept any more";
        }
    }

    record NotValidFor(List<String> names) implements Flaw {
        @Override
        public String words() {
            return "it is not valid for " + String.join(", ", names);
        }
    }

    record UsageForbidden(Usage usage) implements Flaw {
        @Override
        public String words() {
            return "it may not be used by a " + usage.word();
        }
    }
}
