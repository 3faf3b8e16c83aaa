package org.understudy.container.durable;

import jakarta.jws.WebService;
import org.understudy.container.service.Notebook;
import org.understudy.container.service.RefusedException;
import org.understudy.durability.proxy.DurableService;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.ResourceHome;

/** As the durability compiler generates it. */
@WebService(endpointInterface = "org.understudy.container.service.Notebook", targetNamespace = "urn:notebook")
public class DurableNotebook extends DurableService implements Notebook {
  private final PlainNotebook service;

  public DurableNotebook(ResourceHome<?> home) {
    this(home, new LinesState());
  }

  DurableNotebook(ResourceHome<?> home, LinesState lines) {
    super(home);
    LinesProxy text = durable(new LinesProxy("text", lines));
    LinesReconstruction drafts = durable(new LinesReconstruction("drafts"));
    service = new PlainNotebook(text, drafts);
  }

  @Override
  public String append(String more) {
    boolean keep = false;
    startA();
    try {
      String result = service.append(more);
      keep = true;
      return result;
    } finally {
      endA(keep);
    }
  }

  @Override
  @Read(ReadLevel.SESSION)
  public String text() {
    return service.text();
  }

  @Override
  public String refuse(String more) throws RefusedException {
    boolean keep = false;
    startA();
    try {
      String result = service.refuse(more);
      keep = true;
      return result;
    } catch (RefusedException declared) {
      keep = true;
      throw declared;
    } finally {
      endA(keep);
    }
  }

  @Override
  public String stumble(String more) {
    boolean keep = false;
    startA();
    try {
      String result = service.stumble(more);
      keep = true;
      return result;
    } finally {
      endA(keep);
    }
  }

  @Override
  public String quote(String more) {
    boolean keep = false;
    startA();
    try {
      String result = service.quote(more);
      keep = true;
      return result;
    } finally {
      endA(keep);
    }
  }

  @Override
  public String appendSlowly(String more) {
    boolean keep = false;
    startA();
    try {
      String result = service.appendSlowly(more);
      keep = true;
      return result;
    } finally {
      endA(keep);
    }
  }

  @Override
  public void note(String more) {
    boolean keep = false;
    startA();
    try {
      service.note(more);
      keep = true;
    } finally {
      endA(keep);
    }
  }

  @Override
  public void clear() {
    boolean keep = false;
    startA();
    try {
      service.clear();
      keep = true;
    } finally {
      endA(keep);
    }
  }
}
