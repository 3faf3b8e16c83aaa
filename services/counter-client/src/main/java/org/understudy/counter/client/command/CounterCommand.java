package org.understudy.counter.client.command;

import org.understudy.counter.client.CounterException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The program: creates, uses, watches and ends a counter whose endpoint reference is in a file. */
@Command(
    name = "scripts/counter",
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Uses a counter that survives the loss of a replica.%n",
      "A typical session, with a group that scripts/cluster up has started:%n",
      "  scripts/counter create",
      "  scripts/counter watch &",
      "  scripts/counter add 3      # prints 3, and so does watch",
      "  scripts/cluster kill 1     # the primary; the subscription stays",
      "  scripts/counter add 10     # prints 13, and so does watch",
      "  scripts/counter destroy%n"
    },
    footer = "%nExit status: 0 done; 1 not done, and the message says why; 2 the command line is invalid.",
    subcommands = {Create.class, Add.class, Get.class, Watch.class, Destroy.class})
public final class CounterCommand {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Prints this help; after a command, the help of that command.")
  @SuppressWarnings("UnusedVariable") // picocli reads it.
  private boolean help;

  private CounterCommand() {}

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments.length == 0 ? new String[] {"--help"} : arguments));
  }

  static CommandLine commandLine() {
    CommandLine line = new CommandLine(new CounterCommand());
    line.setExecutionExceptionHandler((e, command, parsed) -> {
      if (!(e instanceof CounterException)) {
        throw e;
      }
      command.getErr().println("counter: " + e.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    });
    line.setParameterExceptionHandler((e, arguments) -> {
      CommandLine command = e.getCommandLine();
      String message = e.getMessage();
      command.getErr().println("counter: " + message + (message.endsWith(".") ? " See " : "; see ")
          + command.getCommandSpec().qualifiedName() + " --help.");
      return CommandLine.ExitCode.USAGE;
    });
    return line;
  }
}
