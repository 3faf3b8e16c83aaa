package org.understudy.durability.proxy;

import java.util.List;

/** The interface of a state object. */
interface MachineQueue {
  /** A read. */
  List<String> ids();

  /** An update that is repeated. */
  boolean insert(Machine machine);

  /** An update that is repeated, and changes its argument. */
  void insertAll(List<Machine> machines);

  /** An update that is repeated, and throws halfway. */
  void remove(String id) throws UnknownMachineException;

  /** An update after which the state is captured. */
  void shuffle();
}
