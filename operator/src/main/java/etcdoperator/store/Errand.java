package etcdoperator.store;

import etcdoperator.store.StoreException.Kind;

/**
 * What is being done to which object, for the words when it fails.
 *
 * @param bucket as users know it: a URL, or the path of a folder
 * @param object the same, with the object
 */
record Errand(String bucket, String object, Doing doing) {
    enum Doing {
        READ("read"),
        WRITE("written"),
        LIST("listed"),
        DELETE("deleted");

        private final String done;

        Doing(String done) {
            this.done = done;
        }
    }

    StoreException notFound() {
        return new StoreException(
                Kind.NOT_FOUND, object + " does not exist: check its path, and whether it was deleted");
    }

    /** @param reason the store's word for it, which must hold nothing secret */
    StoreException denied(String reason) {
        return failed(
                Kind.DENIED,
                "access was denied (" + reason + "): check the credentials, and whether they allow it in this bucket");
    }

    StoreException deniedByFolder() {
        return failed(Kind.DENIED, "the volume does not allow it: check who owns its files, and the pod's fsGroup");
    }

    StoreException noBucket() {
        return failed(Kind.NO_BUCKET, bucket + " does not exist: create it, or correct its name");
    }

    StoreException unreachable(String reason) {
        return failed(
                Kind.UNREACHABLE,
                "the store does not answer (" + reason + "): check the endpoint, the network, and the store itself");
    }

    StoreException interrupted() {
        return failed(Kind.UNREACHABLE, "this process is ending: try again");
    }

    /** @param andCure what is wrong and what to do */
    StoreException broken(String andCure) {
        return failed(Kind.BROKEN, andCure);
    }

    StoreException refused(String reason) {
        return broken("the store refused it (" + reason + "): look this error up in the documentation of the store");
    }

    StoreException endedByAnother() {
        return broken("another upload to this path has ended this one: give every backup a path of its own");
    }

    /** A condition of ours does not hold any more. */
    StoreException replaced() {
        return doing == Doing.WRITE ? endedByAnother() : broken("it was replaced meanwhile: try again");
    }

    StoreException tooLarge(long bytes) {
        return broken("it is larger than " + (bytes >> 30)
                + " GiB, more than a store takes in parts that fit in memory:" + " compress it");
    }

    /** What went wrong on the way to a store, without whatever else libraries put into messages. */
    static String rootOf(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String name = root.getClass().getSimpleName().replaceAll("Exception$", "");
        return root instanceof java.io.IOException && root.getMessage() != null
                ? name + ": " + root.getMessage().lines().findFirst().orElse("")
                : name;
    }

    private StoreException failed(Kind kind, String why) {
        return new StoreException(kind, object + " could not be " + doing.done + ": " + why);
    }
}
