package org.understudy.container.intake;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.StateCapture;

/** Weighs texts. */
@WebService(serviceName = "ScaleService", targetNamespace = "urn:scale")
public class ScaleService implements StateCapture {
  /** Returns the number of characters. */
  @WebMethod
  @Read(ReadLevel.LOCAL)
  public int weigh(@WebParam(name = "text") String text) {
    return text == null ? 0 : text.length();
  }

  /** Returns the text. */
  @WebMethod
  public String echo(@WebParam(name = "text") String text) {
    return text;
  }

  /** Throws what a service throws that quotes its caller. */
  @WebMethod
  public void quote(@WebParam(name = "text") String text) {
    throw new IllegalArgumentException("java.lang.String: " + text);
  }

  @Override
  public byte[] captureState() {
    return new byte[0];
  }

  @Override
  public void restoreState(byte[] state) {
    // There is none.
  }
}
