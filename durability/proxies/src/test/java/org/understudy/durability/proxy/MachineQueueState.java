package org.understudy.durability.proxy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A state object, as a service's author writes it. */
class MachineQueueState implements MachineQueue {
  private final List<Machine> machines = new ArrayList<>();
  private int changes;

  @Override
  public List<String> ids() {
    return machines.stream().map(Machine::id).toList();
  }

  @Override
  public boolean insert(Machine machine) {
    changes++;
    return machines.add(machine);
  }

  /** An internal call: other replicas repeat the outer method only. */
  @Override
  public void insertAll(List<Machine> more) {
    while (!more.isEmpty()) {
      insert(more.remove(0));
    }
  }

  @Override
  public void remove(String id) throws UnknownMachineException {
    changes++;
    if (!machines.removeIf(machine -> machine.id().equals(id))) {
      throw new UnknownMachineException(id);
    }
  }

  @Override
  public void shuffle() {
    Collections.shuffle(machines);
  }

  int changes() {
    return changes;
  }
}
