package org.understudy.lab.report;

import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;

/** Reports an invalid command line in one line, which the whole usage would scroll out of sight. Thread-safe. */
public final class InvalidArguments implements IParameterExceptionHandler {
  @Override
  public int handleParseException(ParameterException failure, String[] arguments) {
    CommandLine command = failure.getCommandLine();
    String name = command.getCommandName();
    String message = failure.getMessage();
    String see = (message.endsWith(".") ? " See " : "; see ") + name + " --help.";
    command.getErr().println(name.replace("scripts/", "") + ": " + message + see);
    return CommandLine.ExitCode.USAGE;
  }
}
