package org.understudy.durability.proxy;

import java.util.List;

/** As generated: the mechanism reconstruction. */
final class MachineQueueReconstruction extends ReconstructionProxy<MachineQueue> implements MachineQueue {
  MachineQueueReconstruction() {
    super("idle", MachineQueueState::new);
  }

  @Override
  public List<String> ids() {
    return object().ids();
  }

  @Override
  public boolean insert(Machine machine) {
    update();
    return object().insert(machine);
  }

  @Override
  public void insertAll(List<Machine> machines) {
    update();
    object().insertAll(machines);
  }

  @Override
  public void remove(String id) throws UnknownMachineException {
    update();
    object().remove(id);
  }

  @Override
  public void shuffle() {
    update();
    object().shuffle();
  }
}
