package etcdoperator.testrun;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Too long for {@code make test}: a class or a test with one of these runs in {@code make acceptance PART=…} only, in
 * the part that its name says. What {@code make test} still has of the topic must find the common faults.
 */
public final class Acceptance {
    private Acceptance() {}

    /** Nodes that are drained, lose their power, are cut off or deleted. */
    @Tag("acceptance")
    @Tag("nodes")
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.TYPE, ElementType.METHOD})
    public @interface Nodes {}

    /** An operator that ends in the middle of what it does. */
    @Tag("acceptance")
    @Tag("operator")
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.TYPE, ElementType.METHOD})
    public @interface Operator {}

    /** Runs for as long as it is told to: {@code make soak}. */
    @Tag("acceptance")
    @Tag("soak")
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.TYPE, ElementType.METHOD})
    public @interface Soak {}
}
