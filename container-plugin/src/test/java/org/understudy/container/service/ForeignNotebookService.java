package org.understudy.container.service;

import jakarta.jws.WebService;
import java.util.Map;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.binding.soap.interceptor.AbstractSoapInterceptor;
import org.apache.cxf.interceptor.OutFaultInterceptors;
import org.apache.cxf.interceptor.OutInterceptors;
import org.apache.cxf.phase.Phase;

/** A notebook whose answers have another prefix for SOAP, and a prefix that is declared on the envelope alone. */
@OutInterceptors(classes = ForeignNotebookService.Prefixes.class)
@OutFaultInterceptors(classes = ForeignNotebookService.Prefixes.class)
@WebService(endpointInterface = "org.understudy.container.service.Notebook", targetNamespace = "urn:notebook")
public class ForeignNotebookService extends NotebookService {
  /** Tells CXF which prefixes to declare on the envelope. */
  public static final class Prefixes extends AbstractSoapInterceptor {
    public Prefixes() {
      super(Phase.PREPARE_SEND);
    }

    @Override
    public void handleMessage(SoapMessage message) {
      message.put(
          "soap.env.ns.map",
          Map.of("SOAP-ENV", message.getVersion().getNamespace(), "book", "urn:notebook"));
    }

    @Override
    public void handleFault(SoapMessage message) {
      handleMessage(message);
    }
  }
}
