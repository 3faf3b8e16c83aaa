package org.understudy.test.strategy;

import org.junit.jupiter.api.extension.AfterClassTemplateInvocationCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What the tests of a class share while they run with one strategy, for example a cluster: it is opened by the first test that
 * asks for it and closed after the last one. It is a static field with {@code @RegisterExtension} of a class
 * {@link ForEachStrategy}.
 */
public final class PerStrategy<T> implements AfterClassTemplateInvocationCallback {
  /** Opens what is shared, with the {@linkplain Strategies#current current} strategy. */
  public interface Opening<T> {
    T open() throws Exception;
  }

  /** Closes it. */
  public interface Closing<T> {
    void close(T opened) throws Exception;
  }

  private final Opening<T> opening;
  private final Closing<T> closing;
  private T opened;

  public PerStrategy(Opening<T> opening, Closing<T> closing) {
    this.opening = opening;
    this.closing = closing;
  }

  /** Returns what is shared. */
  public T get() throws Exception {
    if (opened == null) {
      opened = opening.open();
    }
    return opened;
  }

  @Override
  public void afterClassTemplateInvocation(ExtensionContext context) throws Exception {
    T last = opened;
    opened = null;
    if (last != null) {
      closing.close(last);
    }
  }
}
