package org.understudy.lab.report;

import java.util.function.DoubleConsumer;

/** A progress line on the terminal; on anything else, one line when it is done. */
public final class Progress implements DoubleConsumer {
  private final String what;
  @SuppressWarnings("SystemConsoleNull") // Later than Java 21 a line is rewritten where nobody sees it; no more than that.
  private final boolean terminal = System.console() != null;
  private final long begin = System.nanoTime();
  private int reported = -1;

  private Progress(String what) {
    this.what = what;
  }

  public static Progress of(String what) {
    return new Progress(what);
  }

  @Override
  public void accept(double share) {
    int percent = (int) (share * 100);
    if (percent == reported) {
      return;
    }
    reported = percent;
    if (terminal) {
      System.err.printf("\r%-12s %3d %%", what, percent);
    }
    if (percent == 100) {
      System.err.printf("%s%-12s took %.0f s%n", terminal ? "\r" : "", what, (System.nanoTime() - begin) / 1e9);
    }
  }
}
