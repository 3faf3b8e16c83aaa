package org.understudy.durability.proxy;

import java.util.List;
import org.understudy.replication.api.ResourceHome;

/** As generated: the service with its actions. */
class DurablePool extends DurableDatabaseService {
  private final Pool service;

  DurablePool(ResourceHome<?> home, SqlDatabase database) {
    super(home, database);
    MachineQueueProxy machines = durable(new MachineQueueProxy(new MachineQueueState()));
    AccountSetProxy accounts = durable(new AccountSetProxy(database()));
    service = new Pool(machines, accounts);
  }

  /** A read: no action. */
  public List<String> list() {
    return service.list();
  }

  public int advertise(List<Machine> more) {
    boolean keep = false;
    startA();
    try {
      int result = service.advertise(more);
      keep = true;
      return result;
    } finally {
      endA(keep);
    }
  }

  public void release(String id) throws UnknownMachineException {
    boolean keep = false;
    startA();
    try {
      service.release(id);
      keep = true;
    } catch (UnknownMachineException fault) {
      keep = true;
      throw fault;
    } finally {
      endA(keep);
    }
  }

  public void fail(Machine machine) {
    boolean keep = false;
    startA();
    try {
      service.fail(machine);
      keep = true;
    } finally {
      endA(keep);
    }
  }

  /** Marked as a read, by mistake. */
  public void changeInRead(Machine machine) {
    service.changeInRead(machine);
  }
}
