package etcdoperator.commandline;

import java.util.concurrent.Callable;

/** One of the things that the program can be started as. It is called when its fields hold what it was told. */
public interface Role extends Callable<Integer> {
    /** In a sentence, for who asks for help. */
    String purpose();

    /**
     * Was told what it does not understand, and is not called.
     *
     * @return the exit code
     */
    default int refuse(String why) {
        return CommandLine.WRONG;
    }
}
