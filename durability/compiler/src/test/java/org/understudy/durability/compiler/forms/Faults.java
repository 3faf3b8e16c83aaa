package org.understudy.durability.compiler.forms;

/** Faults that are related. */
public final class Faults {
  private Faults() {}

  /** A fault. */
  public static class General extends Exception {
    private static final long serialVersionUID = 1;
  }

  /** A fault that is a case of the other one. */
  public static class Special extends General {
    private static final long serialVersionUID = 1;
  }

  /** A case of this. */
  public static class VerySpecial extends Special {
    private static final long serialVersionUID = 1;
  }
}
