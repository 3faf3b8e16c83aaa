package org.understudy.container.deployment;

import jakarta.activation.DataSource;
import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebResult;
import jakarta.jws.WebService;
import jakarta.jws.soap.SOAPBinding;
import jakarta.xml.soap.SOAPMessage;
import jakarta.xml.ws.BindingType;
import jakarta.xml.ws.Provider;
import jakarta.xml.ws.WebServiceProvider;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.transform.Source;
import org.apache.cxf.annotations.EndpointProperty;
import org.apache.cxf.feature.Features;
import org.apache.cxf.interceptor.InInterceptors;
import org.apache.cxf.ws.addressing.WSAddressingFeature;
import org.apache.cxf.ws.security.wss4j.WSS4JInInterceptor;
import org.apache.cxf.ws.security.wss4j.WSS4JStaxInInterceptor;
import org.understudy.replication.api.ReplicatedState;
import org.understudy.replication.api.ResourceState;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.api.Topics;

/** Services that cannot be replicated, each for a reason of its own. */
final class Services {
  private Services() {}

  /** Has no state that matters here. */
  public abstract static class Empty implements StateCapture {
    @Override
    @WebMethod(exclude = true)
    public byte[] captureState() {
      return new byte[0];
    }

    @Override
    @WebMethod(exclude = true)
    public void restoreState(byte[] state) {}
  }

  /** RPC/literal. */
  @WebService(targetNamespace = "urn:services")
  @SOAPBinding(style = SOAPBinding.Style.RPC)
  public static class Rpc extends Empty {
    public String say(String what) {
      return what;
    }
  }

  /** Cannot be instantiated. */
  @WebService(targetNamespace = "urn:services")
  public abstract static class Abstract extends Empty {
    public String say(String what) {
      return what;
    }
  }

  /** RPC/encoded. */
  @WebService(
      targetNamespace = "urn:services", name = "Encoded", serviceName = "EncodedService", portName = "EncodedPort",
      wsdlLocation = "classpath:org/understudy/container/deployment/encoded.wsdl")
  @SOAPBinding(style = SOAPBinding.Style.RPC)
  public static class Encoded extends Empty {
    public String say(String what) {
      return what;
    }
  }

  /** Has plain XML. */
  @WebService(targetNamespace = "urn:services")
  @BindingType("http://cxf.apache.org/bindings/xformat")
  public static class PlainXml extends Empty {
    public String say(String what) {
      return what;
    }
  }

  /** Rejects message ids that it has seen. */
  @Features(classes = OneMessageId.class)
  @WebService(targetNamespace = "urn:services")
  public static class Duplicated extends Empty {
    public String say(String what) {
      return what;
    }
  }

  /** WS-Addressing without duplicates. */
  public static final class OneMessageId extends WSAddressingFeature {
    public OneMessageId() {
      setAllowDuplicates(false);
    }
  }

  /** Reads WS-Security from a stream, by a property. */
  @EndpointProperty(key = "ws-security.enable.streaming", value = "true")
  @InInterceptors(classes = Tokens.class)
  @WebService(targetNamespace = "urn:services")
  public static class StreamedByProperty extends Empty {
    public String say(String what) {
      return what;
    }
  }

  /** Checks UsernameTokens. */
  public static final class Tokens extends WSS4JInInterceptor {
    public Tokens() {
      super(Map.of("action", "UsernameToken"));
    }
  }

  /** Reads WS-Security from a stream, by an interceptor. */
  @InInterceptors(classes = StreamedTokens.class)
  @WebService(targetNamespace = "urn:services")
  public static class StreamedByInterceptor extends Empty {
    public String say(String what) {
      return what;
    }
  }

  /** Checks timestamps. */
  public static final class StreamedTokens extends WSS4JStaxInInterceptor {
    public StreamedTokens() {
      super(Map.of("action", "Timestamp"));
    }
  }

  /** Counts in a static field. */
  @WebService(targetNamespace = "urn:services")
  public static class Counting extends Empty {
    static int calls;

    public String say(String what) {
      return what + ++calls;
    }
  }

  /** Publishes messages. */
  @WebService(targetNamespace = "urn:services")
  @Topics(namespace = "urn:services", value = "Said")
  public static class Publishing extends Empty {
    public String say(String what) {
      return what;
    }
  }

  /** Of a type that SOAP does not have. */
  @WebServiceProvider
  public static class AProvider extends Empty implements Provider<DataSource> {
    @Override
    public DataSource invoke(DataSource request) {
      return request;
    }
  }

  /** Wants a message and is in mode PAYLOAD. */
  @WebServiceProvider
  public static class PayloadProvider extends Empty implements Provider<SOAPMessage> {
    @Override
    public SOAPMessage invoke(SOAPMessage request) {
      return request;
    }
  }

  /** Lacks its annotation. */
  public static class Undeclared extends Empty implements Provider<Source> {
    @Override
    public Source invoke(Source request) {
      return request;
    }
  }

  /** Two elements in the Body. */
  @WebService(targetNamespace = "urn:services")
  @SOAPBinding(parameterStyle = SOAPBinding.ParameterStyle.BARE)
  public static class Several extends Empty {
    public String say(@WebParam(name = "what") String what, @WebParam(name = "how") String how) {
      return what + how;
    }
  }

  /** Nothing in the Body, and one action. */
  @WebService(targetNamespace = "urn:services")
  @SOAPBinding(parameterStyle = SOAPBinding.ParameterStyle.BARE)
  public static class Bodiless extends Empty {
    @WebMethod(action = "urn:next")
    @WebResult(name = "one")
    public String first() {
      return "1";
    }

    @WebMethod(action = "urn:next")
    @WebResult(name = "two")
    public String second() {
      return "2";
    }
  }

  /** Says nothing of its state. */
  @WebService(serviceName = "Stateless", portName = "StatelessPort", targetNamespace = "urn:services")
  public static class Stateless {
    public String say(String what) {
      return what;
    }
  }

  /** Marks a field that cannot be state. */
  @WebService(targetNamespace = "urn:services")
  public static class Streaming {
    @ReplicatedState private final Map<String, InputStream> entries = new HashMap<>();

    public String say(String what) {
      return what + entries.size();
    }
  }

  /** Marks a field whose first value cannot be state. */
  @WebService(targetNamespace = "urn:services")
  public static class Viewing {
    @ReplicatedState private final List<String> entries = Collections.unmodifiableList(new ArrayList<>());

    public String say(String what) {
      return what + entries.size();
    }
  }

  /** Has code for its state, and marks. */
  @WebService(targetNamespace = "urn:services")
  public static class Twice extends Empty {
    @ReplicatedState private int count;

    public String say(String what) {
      return what + count;
    }
  }

  /** Wants something. */
  @WebService(targetNamespace = "urn:services")
  public static class Injected extends Empty {
    public Injected(String what) {}

    public String say(String what) {
      return what;
    }
  }

  /** Cannot be made. */
  @WebService(targetNamespace = "urn:services")
  public static class Throwing extends Empty {
    public Throwing() {
      throw new IllegalStateException("no database");
    }

    public String say(String what) {
      return what;
    }
  }

  /** A state. */
  public static class State extends Empty {}

  /** Does not take the home of its resources. */
  @ResourceState(State.class)
  @WebService(targetNamespace = "urn:services")
  public static class Homeless {
    public String say(String what) {
      return what;
    }
  }

  /** Two operations that look alike. */
  @WebService(targetNamespace = "urn:services")
  @SOAPBinding(parameterStyle = SOAPBinding.ParameterStyle.BARE)
  public static class Ambiguous extends Empty {
    @WebResult(name = "Said")
    public String say(@WebParam(name = "Saying") String what) {
      return what;
    }

    @WebResult(name = "Shouted")
    public String shout(@WebParam(name = "Saying") String what) {
      return what;
    }
  }
}
