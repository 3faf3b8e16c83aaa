package org.understudy.lab.report;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Checks the values of options. */
public final class Arguments {
  private Arguments() {}

  /**
   * The value of an option that counts something.
   *
   * @param given null when the option is not given
   * @throws ParameterException when it is below 1
   */
  public static int atLeastOne(CommandSpec command, String option, Integer given, int defaults) {
    if (given != null && given < 1) {
      throw new ParameterException(command.commandLine(), option + " is at least 1, not " + given + ".");
    }
    return given == null ? defaults : given;
  }
}
