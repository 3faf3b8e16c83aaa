package org.understudy.container.service;

import jakarta.jws.WebService;
import org.apache.cxf.interceptor.InInterceptors;
import org.apache.cxf.interceptor.OutFaultInterceptors;
import org.apache.cxf.interceptor.OutInterceptors;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.ResourceState;

/** A {@link DeferredService} whose messages are signed and encrypted, with a timestamp. */
@InInterceptors(classes = SealedNotebookService.Open.class)
@OutInterceptors(classes = SealedNotebookService.Seal.class)
@OutFaultInterceptors(classes = SealedNotebookService.Seal.class)
@WebService(endpointInterface = "org.understudy.container.service.Deferred", targetNamespace = "urn:deferred")
@ResourceState(Tally.class)
public class SealedDeferredService extends DeferredService {
  public SealedDeferredService(ResourceHome<Tally> home) {
    super(home);
  }
}
