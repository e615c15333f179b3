package io.improbable.etcd.api;

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
        PersistentVolumeClaimSpec volumeClaimTemplate) {}
