package org.understudy.replication.core;

import java.lang.reflect.Proxy;
import java.util.function.BiConsumer;

/** The effects of a core of which a test looks at a few. */
public final class HandledEffects {
  private HandledEffects() {}

  /** Returns effects that are all passed on, each by the name of its method, with its arguments. None returns a value. */
  public static Effects by(BiConsumer<String, Object[]> handler) {
    return (Effects) Proxy.newProxyInstance(Effects.class.getClassLoader(), new Class<?>[] {Effects.class}, (proxy, method, arguments) -> {
      handler.accept(method.getName(), arguments);
      return null;
    });
  }
}
