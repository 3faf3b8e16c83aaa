package org.understudy.container.contract;

import jakarta.activation.DataHandler;
import jakarta.jws.WebParam;
import jakarta.jws.WebResult;
import jakarta.jws.WebService;
import jakarta.jws.soap.SOAPBinding;
import jakarta.xml.ws.Holder;
import jakarta.xml.ws.WebFault;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.understudy.replication.api.ReplicatedState;

/** Contract-first, RPC/literal; its messages have parts in the Header, in an attachment and nowhere. */
@WebService(
    name = "Stock", serviceName = "StockService", portName = "Stock", targetNamespace = "urn:stock",
    wsdlLocation = "classpath:contract/stock.wsdl")
@SOAPBinding(style = SOAPBinding.Style.RPC)
public class StockService {
  @ReplicatedState private int left = 100;

  @WebResult(name = "left", partName = "left")
  public int take(
      @WebParam(name = "item", partName = "item") String item,
      @WebParam(name = "hint", partName = "hint") String hint,
      @WebParam(name = "amount", partName = "amount") int amount,
      @WebParam(name = "token", partName = "token", targetNamespace = "urn:stock", header = true, mode = WebParam.Mode.INOUT)
          Holder<String> token)
      throws SoldException {
    left -= amount;
    if ("sold".equals(item)) {
      throw new SoldException("All are sold.", item);
    }
    token.value = token.value + "/" + hint;
    return left;
  }

  @WebResult(name = "bytes", partName = "bytes")
  public int scan(
      @WebParam(name = "image", partName = "image") DataHandler image,
      @WebParam(name = "item", partName = "item") String item,
      @WebParam(name = "token", partName = "token", targetNamespace = "urn:stock", header = true) String token) {
    left--;
    try {
      return image.getInputStream().readAllBytes().length + item.length() + token.length();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A declared fault with a simple value. */
  @WebFault(name = "sold", targetNamespace = "urn:stock")
  public static class SoldException extends Exception {
    private static final long serialVersionUID = 1L;
    private final String info;

    public SoldException(String message, String info) {
      super(message);
      this.info = info;
    }

    public String getFaultInfo() {
      return info;
    }
  }
}
