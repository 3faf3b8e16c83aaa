package org.understudy.test.repetition;

import java.nio.file.Files;
import java.nio.file.Path;

/** The command line that runs one test method or class of a module, and builds before what the module needs. */
final class RepetitionCommand {
  private RepetitionCommand() {}

  /**
   * Returns the command, for the directory of the whole project.
   *
   * @param module its directory in the project, as Maven names it
   * @param type the full name of the test's class; one of processes ends with {@code IT}
   * @param method empty for all of the class
   * @param strategy empty if the class runs once for all strategies
   */
  static String of(Path module, String type, String method, String strategy) {
    String top = type.contains("$") ? type.substring(0, type.indexOf('$')) : type;
    String name = top.substring(top.lastIndexOf('.') + 1) + (method.isEmpty() ? "" : "#" + method);
    String selected = strategy.isEmpty() ? "" : " -Dunderstudy.test.strategy=" + strategy;
    String begin = "mvn -pl " + module.toString().replace('\\', '/') + " -am";
    return top.endsWith("IT")
        ? begin + " -Dtest=None -Dit.test='" + name + "'" + selected + " -Dsurefire.failIfNoSpecifiedTests=false"
            + " -Dfailsafe.failIfNoSpecifiedTests=false verify"
        : begin + " -Dtest='" + name + "'" + selected + " -Dsurefire.failIfNoSpecifiedTests=false test";
  }

  /** The path of a module below the highest directory above it that Maven builds. */
  static Path module(Path directory) {
    Path root = directory;
    for (Path at = directory; at != null; at = at.getParent()) {
      if (Files.isRegularFile(at.resolve("pom.xml"))) {
        root = at;
      }
    }
    return root.relativize(directory);
  }
}
