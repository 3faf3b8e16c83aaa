package org.understudy.durability.compiler.cli;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.understudy.durability.compiler.DurabilityCompiler;
import org.understudy.durability.compiler.GeneratedSource;
import org.understudy.durability.mapping.MappingException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code understudy-durability}. */
@Command(
    name = "understudy-durability",
    mixinStandardHelpOptions = true,
    version = "understudy-durability 1",
    description = "Generates the durable form of a service from its compiled classes and its durability mapping.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
        "0:The sources were written.",
        "1:The mapping is invalid or does not fit the classes. Nothing was written.",
        "2:The command line is invalid.",
        "3:A file cannot be read or written."
    })
public final class DurabilityCommand implements Callable<Integer> {
  /** The mapping is invalid or does not fit the classes. */
  public static final int INVALID_MAPPING = 1;
  /** A file cannot be read or written. */
  public static final int IO_ERROR = 3;

  @Option(names = "--mapping", required = true, paramLabel = "FILE", description = "The durability mapping, in XML.")
  private Path mapping;

  @Option(
      names = "--class-path", required = true, paramLabel = "PATH",
      description = "Directories and jars with the service, its state objects, and what they are compiled against, as for java.")
  private String classPath;

  @Option(
      names = "--output", required = true, paramLabel = "DIRECTORY",
      description = "Where the sources are written, below their packages.")
  private Path output;

  @Spec
  private CommandSpec spec;

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** The command, to be executed or documented. */
  public static CommandLine commandLine() {
    return new CommandLine(new DurabilityCommand());
  }

  @Override
  public Integer call() {
    List<Path> entries = Arrays.stream(classPath.split(File.pathSeparator)).filter(each -> !each.isEmpty()).map(Path::of).toList();
    try {
      for (Path entry : entries) {
        if (!Files.exists(entry)) {
          return failed(IO_ERROR, entry + " is on the class path and does not exist.");
        }
      }
      for (GeneratedSource source : DurabilityCompiler.compile(mapping, entries)) {
        spec.commandLine().getOut().println(source.writeTo(output));
      }
      return 0;
    } catch (MappingException e) {
      return failed(INVALID_MAPPING, e.getMessage());
    } catch (IOException e) {
      return failed(IO_ERROR, "A file cannot be read or written: " + e);
    }
  }

  private int failed(int code, String message) {
    spec.commandLine().getErr().println(message);
    return code;
  }
}
