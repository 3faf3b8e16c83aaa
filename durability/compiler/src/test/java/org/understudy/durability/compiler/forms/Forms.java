package org.understudy.durability.compiler.forms;

import jakarta.jws.HandlerChain;
import jakarta.jws.WebService;
import java.util.List;
import java.util.UUID;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.Topics;

/** A service with many forms of methods, by a contract. */
@WebService(endpointInterface = "org.understudy.durability.compiler.forms.Contract")
@HandlerChain(file = "handlers.xml")
@Topics(namespace = "urn:forms", value = {"one", "two"})
public class Forms extends Base<UUID> implements Contract {
  private final Entries entries;
  private final ResourceHome<?> home;

  /** Takes the objects and the home. */
  public Forms(Entries entries, ResourceHome<?> home) {
    this.entries = entries;
    this.home = home;
  }

  @Override
  public String any(String keep) throws Exception {
    entries.put(null, List.of());
    switch (keep) {
      case "runtime" -> throw new IllegalStateException();
      case "error" -> throw new AssertionError();
      case "checked" -> throw new Exception();
      case "general" -> throw new Faults.General();
      default -> {
        return keep + (home == null);
      }
    }
  }

  @Override
  public int[] related(List<String> fault) throws Faults.General, Faults.Special {
    switch (fault.get(0)) {
      case "general" -> throw new Faults.General();
      case "special" -> throw new Faults.Special();
      case "very" -> throw new Faults.VerySpecial();
      default -> {
        return new int[] {1};
      }
    }
  }

  @Override
  public void special() throws Faults.Special {
    throw new Faults.Special();
  }

  /** Is not called any more. */
  @Deprecated
  public void old(String... more) {}
}
