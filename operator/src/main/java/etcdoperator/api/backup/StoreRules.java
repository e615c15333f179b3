package etcdoperator.api.backup;

/** What the API server can tell of places where backups are stored. */
public final class StoreRules {
    public static final String EITHER = "has(self.bucket) != has(self.volume)";

    public static final String BUCKET_URL =
            "self.matches('^(s3|gs|azblob)://[A-Za-z0-9][A-Za-z0-9._-]{1,221}(/[^/.?#@][^/?#@]*)*/?$')";

    /** No user: a password in a URL is read by everybody who can read the object. */
    public static final String URL = "self.matches('^https?://[^/@?# ]+(/[^@?# ]*)?$')";

    public static final String REGION = "self.matches('^[A-Za-z0-9-]+$')";

    /** For whoever uses a destination again and again. */
    public static final String DISTINCT = "!((has(self.destination.bucket) && has(self.destination.bucket.objectPath)"
            + " && !self.destination.bucket.objectPath.matches('[{](time|uid)[}]'))"
            + " || (has(self.destination.volume) && has(self.destination.volume.path)"
            + " && !self.destination.volume.path.matches('[{](time|uid)[}]')))";

    public static final String DISTINCT_MESSAGE =
            "the path is the same each time, so that every backup would replace the one before: put {time} or {uid} into it";

    public static final int LONGEST_PATH = 512;

    public static final String BLANKS =
            "self.matches('^([^{}]|[{](namespace|cluster|time|revision|uid|version)[}])+$')";

    /** Follows the name of the field. */
    public static final String BLANKS_MESSAGE =
            " has a blank that nobody can fill in: known are {namespace}, {cluster}, {time}, {revision}, {uid} and"
                    + " {version}";

    /** A folder hides what is being written behind a dot, and no store has an empty name. */
    public static final String PATH = "!self.matches('(^|/)([.]|/|$)')";

    public static final String PATH_MESSAGE =
            " must be a path without empty parts and without names that begin with a dot: write one such as"
                    + " backups/{cluster}/{time}.db";

    public static final String ONE_LOGIN =
            "(has(self.aws) ? 1 : 0) + (has(self.googleCloud) ? 1 : 0) + (has(self.azure) ? 1 : 0) <= 1";

    public static final String FITTING_LOGIN = "!has(self.credentials)"
            + " || ((!has(self.credentials.aws) || self.bucketURL.startsWith('s3://'))"
            + " && (!has(self.credentials.googleCloud) || self.bucketURL.startsWith('gs://'))"
            + " && (!has(self.credentials.azure) || self.bucketURL.startsWith('azblob://')))";

    public static final String NAMED = "has(self.name) && size(self.name) > 0";
    public static final String KEYED = "has(self.name) && size(self.name) > 0 && has(self.key) && size(self.key) > 0";

    private StoreRules() {}
}
