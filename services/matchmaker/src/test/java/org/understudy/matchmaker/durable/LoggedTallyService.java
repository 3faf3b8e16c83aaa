package org.understudy.matchmaker.durable;

import jakarta.jws.WebMethod;
import jakarta.jws.WebService;
import org.understudy.replication.api.ResourceHome;

/** The same without the declaration that all state is in the database: its updates are prepared in the log. */
@WebService(targetNamespace = "urn:tally")
public class LoggedTallyService extends TallyService {
  public LoggedTallyService(ResourceHome<?> home) {
    super(home);
  }

  @Override
  @WebMethod(exclude = true)
  public boolean isDatabaseOnly() {
    return false;
  }
}
