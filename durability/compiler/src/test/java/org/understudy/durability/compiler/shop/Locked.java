package org.understudy.durability.compiler.shop;

import java.util.function.Supplier;

/** State classes that no replica can make, or that nothing can protect. */
public final class Locked {
  private Locked() {}

  /** Has no public constructor without parameters. */
  public static final class NoConstructor extends Named implements Visitors {
    /** @param name unused */
    public NoConstructor(String name) {
      super(name);
    }
  }

  /** Cannot be made. */
  public abstract static class Abstract implements Visitors {
    /** Makes nothing. */
    public Abstract() {}
  }

  /** Is not public. */
  static final class Hidden implements Visitors {
    /** Makes one. */
    public Hidden() {}

    @Override
    public void came(String customer) {}

    @Override
    public int count() {
      return 0;
    }
  }

  /** Has a method of proxies. */
  public interface Clash {
    /** Is final in proxies. */
    String name();
  }

  /** Implements it. */
  public static final class ClashState implements Clash {
    /** Makes one. */
    public ClashState() {}

    @Override
    public String name() {
      return "";
    }
  }

  /** Has type parameters. */
  public interface Generic<T> extends Supplier<T> {}

  /** A base class. */
  public static class Named {
    private final String name;

    Named(String name) {
      this.name = name;
    }

    /** Counts nobody. */
    public void came(String customer) {}

    /** The length of the name. */
    public int count() {
      return name.length();
    }
  }
}
