package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import etcdoperator.api.backup.BucketLocation;
import etcdoperator.api.backup.EtcdBackupSpec.Encryption;
import etcdoperator.api.backup.VolumeLocation;
import etcdoperator.api.rules.Immutable;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One restore: of which backup, and into which cluster. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "self == oldSelf",
        message =
                "spec of an EtcdRestore cannot be changed, because a restore is done once: create another EtcdRestore")
@ValidationRule(
        value = EtcdRestoreSpec.IN_PLACE + " || has(self.clusterTemplate.spec)",
        message =
                "spec.clusterTemplate.spec is missing, and no cluster can be made without it: describe the cluster, or"
                        + " set spec.inPlace to true to restore into one that exists")
@ValidationRule(
        value = "!" + EtcdRestoreSpec.IN_PLACE + " || !has(self.clusterTemplate.spec)",
        message = "spec.clusterTemplate.spec is given with spec.inPlace, where the spec of the cluster itself counts:"
                + " remove one of them")
@ValidationRule(
        value = EtcdRestoreSpec.IN_PLACE + " || !has(self.source.claim)",
        message = "spec.source.claim is of the very cluster that gets its data: set spec.inPlace to true, and leave"
                + " spec.clusterTemplate.spec out")
@ValidationRule(
        value = "!has(self.serviceAccountName) || !has(self.source.claim)",
        message = "spec.serviceAccountName is for reading a backup, and spec.source.claim needs nobody's leave to be"
                + " read: remove it")
public record EtcdRestoreSpec(
        @JsonPropertyDescription("Where the backup is.") @Required
        RestoreSource source,

        @JsonPropertyDescription("The cluster to make from it, or, with inPlace, the one that gets its data.") @Required
        ClusterTemplate clusterTemplate,

        @JsonPropertyDescription(
                "Whether to replace the data of an existing cluster of that name. Its volumes of before are kept aside"
                        + " and named in status. Default: false.")
        @Nullable
        Boolean inPlace,

        @JsonPropertyDescription("Service account of the pods that read the backup; that of the backup when absent.")
        @Nullable
        String serviceAccountName) {
    static final String IN_PLACE = "(has(self.inPlace) && self.inPlace)";

    private static final String TIMESTAMP =
            "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$";

    public boolean goesInPlace() {
        return Boolean.TRUE.equals(inPlace);
    }

    /** Where the backup, or what is left of the cluster, is: one of these. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @ValidationRule(
            value = "[has(self.bucket), has(self.volume), has(self.backup), has(self.schedule), has(self.claim)]"
                    + ".filter(given, given).size() == 1",
            message = "spec.source must have exactly one of bucket, volume, backup, schedule and claim: keep the one to"
                    + " restore from")
    @ValidationRule(
            value = "!has(self.orClaims) || has(self.claim)",
            message = "spec.source.orClaims names further survivors beside claim: give it together with claim, or"
                    + " remove it")
    @ValidationRule(
            value = "!has(self.at) || has(self.schedule)",
            message = "spec.source.at picks one of a schedule's backups: give it together with schedule, or remove it")
    @ValidationRule(
            value = "!has(self.encryption) || has(self.bucket) || has(self.volume)",
            message = "spec.source.encryption goes with bucket or volume, because an EtcdBackup names its own key and"
                    + " a claim is not encrypted: remove it")
    @ValidationRule(
            value = "!has(self.bucket) || (has(self.bucket.objectPath) && size(self.bucket.objectPath) > 0"
                    + " && !self.bucket.objectPath.contains('{'))",
            message = "spec.source.bucket does not say which object: set objectPath to its path, with no blanks left")
    @ValidationRule(
            value = "!has(self.volume) || (has(self.volume.path) && size(self.volume.path) > 0"
                    + " && !self.volume.path.contains('{'))",
            message = "spec.source.volume does not say which file: set path to its path, with no blanks left")
    public record RestoreSource(
            @JsonPropertyDescription("An object in a bucket.") @Nullable
            BucketLocation bucket,

            @JsonPropertyDescription("A file on a volume.") @Nullable
            VolumeLocation volume,

            @JsonPropertyDescription("Name of an EtcdBackup in the same namespace.") @Nullable
            String backup,

            @JsonPropertyDescription("Name of an EtcdBackupSchedule in the same namespace: its newest backup.")
            @Nullable
            String schedule,

            @JsonPropertyDescription("With schedule: its newest backup not after this time.")
            @Size(max = 40)
            @ValidationRule(
                    value = "self.matches('" + TIMESTAMP + "')",
                    message = "spec.source.at must be a time with its zone: write it such as 2026-11-15T03:00:00Z")
            @Nullable
            String at,

            @JsonPropertyDescription("The key an encrypted object or file is read with; with backup and schedule it is"
                    + " the one that the EtcdBackup names.")
            @Nullable
            Encryption encryption,

            @JsonPropertyDescription("Name of a PersistentVolumeClaim of that cluster with the data of a member, where"
                    + " a majority of the others is lost for good: all that was written to it becomes a new etcd"
                    + " cluster. Only with inPlace.")
            @Size(min = 1, max = 253)
            @Nullable
            String claim,

            @JsonPropertyDescription("With claim: claims of other members that survive as well; the one whose log goes"
                    + " furthest is taken.")
            @Size(max = 20)
            List<@Size(min = 1, max = 253) String> orClaims) {

        public RestoreSource(
                @Nullable BucketLocation bucket,
                @Nullable VolumeLocation volume,
                @Nullable String backup,
                @Nullable String schedule,
                @Nullable String at,
                @Nullable Encryption encryption,
                @Nullable String claim,
                @Nullable List<String> orClaims) {
            this.bucket = bucket;
            this.volume = volume;
            this.backup = backup;
            this.schedule = schedule;
            this.at = at;
            this.encryption = encryption;
            this.claim = claim;
            this.orClaims = Immutable.list(orClaims);
        }

        /** Claims of members that survive, each once. */
        public static RestoreSource ofClaims(List<String> survivors) {
            return new RestoreSource(
                    null, null, null, null, null, null, survivors.getFirst(), survivors.subList(1, survivors.size()));
        }

        /** All survivors that are named; none where the source is a backup. */
        @JsonIgnore
        public List<String> survivors() {
            return Stream.concat(Stream.ofNullable(claim), orClaims.stream())
                    .distinct()
                    .toList();
        }
    }

    /** The cluster to make, or the one that gets other data. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record ClusterTemplate(
            @JsonPropertyDescription("Name of the EtcdCluster.")
            @Required
            @Size(max = 253)
            @ValidationRule(
                    value = "self.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
                    message = "clusterName must be a DNS-1035 label, because Services are named after the cluster: use"
                            + " lower case letters, digits and '-', start with a letter and end with a letter or"
                            + " digit")
            @ValidationRule(
                    value = "size(self) <= 45",
                    message = "clusterName must have at most 45 characters, so that the names of pods, Services and"
                            + " Secrets made from it fit: choose a shorter name")
            String clusterName,

            @JsonPropertyDescription(
                    "Its spec, as in an EtcdCluster; version may be left out, and is then the one recorded with the"
                            + " backup. Not with inPlace.")
            @Nullable
            EtcdClusterSpec spec) {}
}
