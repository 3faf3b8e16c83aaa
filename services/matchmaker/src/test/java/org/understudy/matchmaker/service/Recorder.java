package org.understudy.matchmaker.service;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Passes each update of a queue on to a second one, as a proxy of a durability mechanism would. */
final class Recorder {
  private final MachineQueue queue;
  private int updates;

  Recorder(MachineQueue first, MachineQueue second) {
    this.queue =
        (MachineQueue)
            Proxy.newProxyInstance(
                Recorder.class.getClassLoader(),
                new Class<?>[] {MachineQueue.class},
                (proxy, method, arguments) -> {
                  try {
                    if (method.getReturnType() == void.class) {
                      updates++;
                      method.invoke(second, arguments);
                    }
                    return method.invoke(first, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
  }

  MachineQueue queue() {
    return queue;
  }

  int updates() {
    return updates;
  }
}
