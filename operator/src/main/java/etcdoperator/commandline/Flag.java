package etcdoperator.commandline;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A field that can be set on the command line, as {@code --name=value} or {@code --name value}. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Flag {
    String name();

    boolean required() default false;

    /** Of the environment, asked where the flag is not given. */
    String variable() default "";

    /** For who asks for help; those without one are ours alone. */
    String description() default "";
}
