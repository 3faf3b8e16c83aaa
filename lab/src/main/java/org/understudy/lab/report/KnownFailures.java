package org.understudy.lab.report;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Reports a failure that its message explains in one line, without a stack trace. Thread-safe. */
public final class KnownFailures implements IExecutionExceptionHandler {
  private final List<Class<? extends Exception>> known;

  /** @param known the failures that their messages explain; others are thrown */
  public KnownFailures(List<Class<? extends Exception>> known) {
    this.known = List.copyOf(known);
  }

  @Override
  public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) throws Exception {
    if (known.stream().noneMatch(kind -> kind.isInstance(failure))) {
      throw failure;
    }
    command.getErr().println(command.getCommandName().replace("scripts/", "") + ": " + failure.getMessage());
    return CommandLine.ExitCode.SOFTWARE;
  }
}
