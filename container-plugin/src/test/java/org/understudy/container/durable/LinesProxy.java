package org.understudy.container.durable;

import java.util.List;
import org.understudy.durability.proxy.Call;
import org.understudy.durability.proxy.ReplicationProxy;

/** As the durability compiler generates it. */
final class LinesProxy extends ReplicationProxy<Lines> implements Lines {
  LinesProxy(String name, LinesState lines) {
    super(name, lines, fieldsOf(lines), List.of(Add.class));
  }

  @Override
  public String all() {
    return object().all();
  }

  @Override
  public void add(String line) {
    repeat(new Add(line));
    object().add(line);
  }

  @Override
  public void clear() {
    capture();
    object().clear();
  }

  /** The arguments of add. */
  record Add(String line) implements Call<Lines> {
    @Override
    public void on(Lines object) {
      object.add(line);
    }
  }
}
