package etcdoperator.installation;

import etcdoperator.api.rules.ManagedStatus;
import etcdoperator.domain.Installation;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.Locale;
import java.util.Optional;

/**
 * What an installation of the operator has to do with an object. Only the record in status decides who manages it. The
 * annotation, which users write, allows another installation to change the record. So a wrong annotation does not leave
 * an object without a manager.
 */
sealed interface Management {
    /**
     * This installation manages the object.
     *
     * @param remark what users should know about the annotation
     */
    record Own(Optional<String> remark) implements Management {}

    /**
     * This installation is to record that it manages the object.
     *
     * @param before the installation that managed the object until now
     */
    record Take(Optional<String> before) implements Management {}

    /** Another installation manages the object, or is to take it. */
    record Other(String why) implements Management {}

    /** @param own this installation */
    static Management of(CustomResource<?, ? extends ManagedStatus<?>> object, Installation own) {
        Optional<String> recorded = Optional.ofNullable(object.getStatus()).map(ManagedStatus::installation);
        Optional<String> asked = Optional.ofNullable(object.getMetadata().getAnnotations())
                .map(annotations -> annotations.get(Labels.INSTALLATION))
                .filter(installation -> !installation.isBlank());
        boolean isRecorded = recorded.equals(Optional.of(own.toString()));
        boolean isAsked = asked.equals(Optional.of(own.toString()));
        if (isRecorded) {
            return new Own(asked.filter(installation -> !isAsked).map(other -> awaited(object, other, own)));
        }
        if (isAsked
                || (recorded.isEmpty() && asked.flatMap(Installation::tryParse).isEmpty())) {
            return new Take(recorded);
        }
        return new Other(recorded.map(
                        manager -> "Installation %s leaves %s alone, because installation %s manages it; %s"
                                .formatted(own, name(object), manager, handOver(object, own)))
                .orElseGet(() ->
                        "Installation %s leaves %s alone, because its annotation %s names installation %s, which has not taken it yet; %s"
                                .formatted(
                                        own,
                                        name(object),
                                        Labels.INSTALLATION,
                                        asked.orElseThrow(),
                                        handOver(object, own))));
    }

    private static String awaited(HasMetadata object, String asked, Installation own) {
        return Installation.tryParse(asked)
                .map(other ->
                        "Installation %s manages %s until installation %s takes it over, which annotation %s names; if %s does not watch this namespace, correct or remove the annotation"
                                .formatted(own, name(object), other, Labels.INSTALLATION, other))
                .orElseGet(() ->
                        "Annotation %s of %s is ignored: \"%s\" is not of the form NAMESPACE/RELEASE; installation %s manages it"
                                .formatted(Labels.INSTALLATION, name(object), asked, own));
    }

    private static String handOver(HasMetadata object, Installation own) {
        return "to have installation %s take it over, run kubectl --namespace %s annotate %s %s %s=%s --overwrite"
                .formatted(
                        own,
                        object.getMetadata().getNamespace(),
                        object.getKind().toLowerCase(Locale.ROOT),
                        object.getMetadata().getName(),
                        Labels.INSTALLATION,
                        own);
    }

    private static String name(HasMetadata object) {
        return object.getKind() + " " + object.getMetadata().getName();
    }
}
