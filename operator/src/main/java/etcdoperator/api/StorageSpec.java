package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpec;

/** The volume of each member. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record StorageSpec(
        @JsonPropertyDescription("The PersistentVolumeClaim made for each member. It must request storage; accessModes"
                + " is ReadWriteOnce unless given. Durable storage of 80 GiB or more is suggested for"
                + " production.")
        @Required
        @ValidationRule(
                value = "has(self.resources) && has(self.resources.requests)"
                        + " && 'storage' in self.resources.requests",
                message = "volumeClaimTemplate must request storage: set resources.requests.storage, for"
                        + " example to 80Gi")
        @ValidationRule(
                value = "!has(self.resources) || !has(self.resources.requests)"
                        + " || !('storage' in self.resources.requests)"
                        + " || quantity(string(self.resources.requests['storage'])).isGreaterThan(quantity('0'))",
                message = "volumeClaimTemplate must request more than no storage: set"
                        + " resources.requests.storage to a positive quantity, for example 80Gi")
        @ValidationRule(
                value = "!has(self.volumeMode) || self.volumeMode != 'Block'",
                message = "volumeClaimTemplate.volumeMode must not be Block, because etcd needs a file system:"
                        + " remove volumeMode or set it to Filesystem")
        @ValidationRule(
                value = "!has(self.dataSource) && !has(self.dataSourceRef)",
                message = "volumeClaimTemplate must not have a dataSource or dataSourceRef, because members that"
                        + " start on copied data would be taken for others: remove it")
        @ValidationRule(
                value = "!has(self.volumeName)",
                message = "volumeClaimTemplate must not have a volumeName, because every member needs a volume of"
                        + " its own: remove it, and use a storageClassName or a selector")
        PersistentVolumeClaimSpec volumeClaimTemplate) {}
