package org.understudy.container.database;

import jakarta.jws.WebService;
import java.nio.charset.StandardCharsets;
import org.understudy.replication.api.IncrementalState;
import org.understudy.replication.api.ResourceHome;

/** Keeps its text in a database alone; what it has in memory shows it. */
@WebService(endpointInterface = "org.understudy.container.service.Notebook", targetNamespace = "urn:notebook")
public class PageService extends BookService implements IncrementalState {
  public PageService(ResourceHome<BookService> home) {
    super(home);
  }

  @Override
  public boolean isDatabaseOnly() {
    return true;
  }

  @Override
  public byte[] captureUpdate() {
    return new byte[0];
  }

  @Override
  public void applyUpdate(byte[] update) {
    throw new IllegalStateException("No update is replicated.");
  }

  @Override
  public byte[] captureState() {
    return new byte[0];
  }

  @Override
  public void restoreState(byte[] state) {
    super.restoreState(store.text().getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void reload() {
    super.reload();
    restoreState(new byte[0]);
  }
}
