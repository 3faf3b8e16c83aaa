package org.understudy.lab.report;

import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options of all benches: the script that starts groups, where the results go, and the ports. */
public final class BenchOptions {
  /** The database of scripts/cluster listens at the port + 3000. */
  private static final int MAX_PORT = 62_400;

  @Option(names = "--cluster", hidden = true, required = true)
  private Path script;

  @Option(names = "--out", paramLabel = "DIR", description = "Output directory (default ${DEFAULT-VALUE}).")
  private Path out;

  @Option(
      names = "--port",
      description = "Base port: uses at most 70 ports from each of this, this + 1000, + 2000 and + 3000 (default ${DEFAULT-VALUE}).")
  private int port;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /**
   * Options with these defaults.
   *
   * @param out a directory
   */
  public BenchOptions(String out, int port) {
    this.out = Path.of(out);
    this.port = port;
  }

  /** {@code scripts/cluster}. */
  public Path script() {
    return script;
  }

  /** The root of this project's files. */
  public Path root() {
    return script.toAbsolutePath().normalize().getParent().getParent();
  }

  /** The directory of the results, which may not exist yet. */
  public Path out() {
    return out;
  }

  /** @throws ParameterException when a program cannot use all ports from there */
  public int port() {
    if (port < 1_024 || port > MAX_PORT) {
      throw new ParameterException(command.commandLine(), "--port is a number from 1024 to " + MAX_PORT + ", not " + port + ".");
    }
    return port;
  }

  /**
   * The value of an option that counts something.
   *
   * @param given null when the option is not given
   * @throws ParameterException when it is below 1
   */
  public int atLeastOne(String option, Integer given, int defaults) {
    return Arguments.atLeastOne(command, option, given, defaults);
  }
}
