package org.understudy.durability.proxy;

import java.util.List;

/** A service, as its author writes it: it knows its state objects by their interfaces. */
class Pool {
  private final MachineQueue machines;
  private final AccountSet accounts;

  Pool(MachineQueue machines, AccountSet accounts) {
    this.machines = machines;
    this.accounts = accounts;
  }

  List<String> list() {
    return machines.ids();
  }

  /** Changes one object twice, and another one. */
  int advertise(List<Machine> more) {
    more.forEach(machines::insert);
    accounts.insertBill("advertisers", more.size());
    return machines.ids().size();
  }

  /** Changes both, then throws a declared fault. */
  void release(String id) throws UnknownMachineException {
    accounts.insertBill(id, 1);
    machines.remove(id);
  }

  /** Changes both, then throws an undeclared exception. */
  void fail(Machine machine) {
    machines.insert(machine);
    accounts.insertBill("nobody", 7);
    throw new IllegalArgumentException("The machine is invalid.");
  }

  /** Not declared as an update. */
  void changeInRead(Machine machine) {
    machines.insert(machine);
  }
}
