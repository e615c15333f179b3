package io.improbable.etcd.agent;

import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;

/** Flags that cannot be understood end an agent like any other failure: with last words. */
public final class WrongFlags implements IParameterExceptionHandler {
    private final IParameterExceptionHandler usual;

    public WrongFlags(IParameterExceptionHandler usual) {
        this.usual = usual;
    }

    @Override
    public int handleParseException(ParameterException wrong, String[] flags) throws Exception {
        if (wrong.getCommandLine().getCommand() instanceof AgentCommand agent) {
            agent.refuse(String.valueOf(wrong.getMessage()));
        }
        return usual.handleParseException(wrong, flags);
    }
}
