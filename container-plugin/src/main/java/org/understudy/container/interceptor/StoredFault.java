package org.understudy.container.interceptor;

import javax.xml.namespace.QName;
import org.apache.cxf.binding.soap.SoapFault;

/** Makes the service's stack send a {@link StoredEnvelope} as a fault. */
public final class StoredFault extends SoapFault {
  private static final long serialVersionUID = 1L;

  public StoredFault(String reason, QName code) {
    super(reason, code);
  }
}
