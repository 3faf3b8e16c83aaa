package org.understudy.durability.proxy;

import java.util.List;

/** As generated: the mechanism replication, with repeated and captured methods. */
final class MachineQueueProxy extends ReplicationProxy<MachineQueue> implements MachineQueue {
  MachineQueueProxy(MachineQueueState machines) {
    super("machines", machines, fieldsOf(machines), List.of(Insert.class, InsertAll.class, Remove.class));
  }

  @Override
  public List<String> ids() {
    return object().ids();
  }

  @Override
  public boolean insert(Machine machine) {
    repeat(new Insert(machine));
    return object().insert(machine);
  }

  @Override
  public void insertAll(List<Machine> machines) {
    repeat(new InsertAll(machines));
    object().insertAll(machines);
  }

  @Override
  public void remove(String id) throws UnknownMachineException {
    repeat(new Remove(id));
    object().remove(id);
  }

  @Override
  public void shuffle() {
    capture();
    object().shuffle();
  }

  /** The arguments of insert. */
  record Insert(Machine machine) implements Call<MachineQueue> {
    @Override
    public void on(MachineQueue object) {
      object.insert(machine);
    }
  }

  /** The arguments of insertAll. */
  record InsertAll(List<Machine> machines) implements Call<MachineQueue> {
    @Override
    public void on(MachineQueue object) {
      object.insertAll(machines);
    }
  }

  /** The arguments of remove. */
  record Remove(String id) implements Call<MachineQueue> {
    @Override
    public void on(MachineQueue object) throws UnknownMachineException {
      object.remove(id);
    }
  }
}
