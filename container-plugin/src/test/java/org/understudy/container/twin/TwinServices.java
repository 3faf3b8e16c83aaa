package org.understudy.container.twin;

import jakarta.activation.DataHandler;
import jakarta.jws.HandlerChain;
import jakarta.jws.Oneway;
import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebResult;
import jakarta.jws.WebService;
import jakarta.jws.soap.SOAPBinding;
import jakarta.mail.util.ByteArrayDataSource;
import jakarta.xml.bind.annotation.XmlAttachmentRef;
import jakarta.xml.bind.annotation.XmlType;
import jakarta.xml.ws.BindingType;
import jakarta.xml.ws.Holder;
import jakarta.xml.ws.handler.MessageContext;
import jakarta.xml.ws.soap.Addressing;
import jakarta.xml.ws.soap.MTOM;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.cxf.annotations.SchemaValidation;
import org.understudy.replication.api.Read;

/** The services with operations that the messages of the table are sent to. */
final class TwinServices {
  private static final String SOAP12 = "http://www.w3.org/2003/05/soap/bindings/HTTP/";

  private TwinServices() {}

  /** A row of a large answer. */
  @XmlType(name = "rowType", namespace = "urn:twin:item")
  public static class Row {
    public int number;
    public String text;
    public Boolean even;

    static Row of(int number) {
      Row row = new Row();
      row.number = number;
      row.text = "row <" + number + ">";
      row.even = number % 2 == 0 ? Boolean.TRUE : null;
      return row;
    }
  }

  /** Document/literal, wrapped. */
  @WebService(targetNamespace = "urn:twin")
  public static class Texts extends Witness {
    public String echo(@WebParam(name = "text") String text) {
      sees("echo", text);
      return text;
    }

    @Read
    public String read(@WebParam(name = "text") String text) {
      sees("read", text);
      return text;
    }

    public void nothing(@WebParam(name = "text") String text) {
      sees("nothing", text);
    }

    public String nullText() {
      sees("nullText");
      return null;
    }

    public List<String> list(@WebParam(name = "n") int n) {
      sees("list", n);
      return n < 0 ? null : IntStream.range(0, n).mapToObj(i -> i % 3 == 2 ? null : "text " + i).toList();
    }

    public List<Row> rows(@WebParam(name = "n") int n) {
      sees("rows", n);
      return IntStream.range(0, n).mapToObj(Row::of).toList();
    }

    public String[] array(@WebParam(name = "texts") String[] texts) {
      sees("array", new Object[] {texts});
      return texts;
    }

    public String repeat(@WebParam(name = "text") String text, @WebParam(name = "times") int times) {
      sees("repeat", text, times);
      return String.join("", Collections.nCopies(times, text));
    }

    public Item change(@WebParam(name = "item") Item item) {
      sees("change", item);
      return item;
    }

    public List<Item> changeAll(@WebParam(name = "item") List<Item> items) {
      sees("changeAll", items);
      return items;
    }

    public String numbers(
        @WebParam(name = "i") int i, @WebParam(name = "l") long l, @WebParam(name = "s") short s, @WebParam(name = "b") byte b,
        @WebParam(name = "d") double d, @WebParam(name = "f") float f, @WebParam(name = "z") boolean z,
        @WebParam(name = "boxed") Integer boxed,
        @WebParam(name = "big") BigInteger big) {
      sees("numbers", i, l, s, b, d, f, z, boxed, big);
      return i + " " + l + " " + s + " " + b + " " + d + " " + f + " " + z + " " + boxed + " " + big;
    }

    public String inOut(
        @WebParam(name = "text", mode = WebParam.Mode.INOUT) Holder<String> text,
        @WebParam(name = "item", mode = WebParam.Mode.INOUT) Holder<Item> item,
        @WebParam(name = "size", mode = WebParam.Mode.OUT) Holder<Integer> size) {
      sees("inOut", text.value, item.value);
      size.value = text.value == null ? null : text.value.length();
      text.value = text.value + "!";
      return "result";
    }

    @Oneway
    public void note(@WebParam(name = "text") String text) {
      seesLater("note", text);
    }

    public String fail(@WebParam(name = "how") String how) throws TwinFaults.Declared, TwinFaults.Plain {
      sees("fail", how);
      throw TwinFaults.of(how);
    }

    public String http(@WebParam(name = "what") String what) {
      sees("http", what);
      switch (what) {
        case "header" -> context().put(MessageContext.HTTP_RESPONSE_HEADERS, Map.of("X-Twin", List.of("one", "two")));
        case "cookie" -> response().addCookie(new jakarta.servlet.http.Cookie("twin", "baked"));
        case "servlet header" -> response().setHeader("X-Twin", "one");
        case "status" -> context().put(MessageContext.HTTP_RESPONSE_CODE, 203);
        case "session" -> ((jakarta.servlet.http.HttpServletRequest) context().get(MessageContext.SERVLET_REQUEST)).getSession();
        default -> throw new IllegalArgumentException(what);
      }
      return what;
    }

    private jakarta.servlet.http.HttpServletResponse response() {
      return (jakarta.servlet.http.HttpServletResponse) context().get(MessageContext.SERVLET_RESPONSE);
    }
  }

  /** The same with SOAP 1.2. */
  @WebService(targetNamespace = "urn:twin")
  @BindingType(SOAP12)
  public static class Texts12 extends Texts {
    @Override
    public String echo(@WebParam(name = "text") String text) {
      return super.echo(text);
    }
  }

  /** The same with WS-Addressing. */
  @Addressing
  @WebService(targetNamespace = "urn:twin")
  public static class Addressed extends Texts {}

  /** The same with the schema's rules. */
  @SchemaValidation
  @WebService(targetNamespace = "urn:twin")
  public static class Validated extends Texts {}

  /** The same with handlers. */
  @HandlerChain(file = "witness-handlers.xml")
  @WebService(targetNamespace = "urn:twin")
  public static class Handled extends Texts {}

  /** Attachments to which elements refer. */
  @WebService(targetNamespace = "urn:twin:swa")
  public static class Attached extends Witness {
    @XmlAttachmentRef
    public DataHandler echo(@WebParam(name = "data") @XmlAttachmentRef DataHandler data) throws IOException {
      byte[] content = data.getInputStream().readAllBytes();
      sees("echo", data.getContentType(), content.length, Arrays.hashCode(content));
      return new DataHandler(new ByteArrayDataSource(content, data.getContentType()));
    }
  }

  /** Document/literal, bare. */
  @WebService(targetNamespace = "urn:twin:bare")
  @SOAPBinding(parameterStyle = SOAPBinding.ParameterStyle.BARE)
  public static class Bare extends Witness {
    @WebMethod(action = "urn:twin:bare:next")
    @WebResult(name = "nextIs")
    public int next() {
      sees("next");
      return 7;
    }

    @Read
    @WebMethod(action = "urn:twin:bare:last")
    @WebResult(name = "lastIs")
    public String last() {
      sees("last");
      return null;
    }

    @WebResult(name = "added")
    public int add(@WebParam(name = "add") int by) {
      sees("add", by);
      return by + 1;
    }

    @WebResult(name = "changed")
    public Item change(@WebParam(name = "change") Item item) {
      sees("change", item);
      return item;
    }

    public void forget(@WebParam(name = "forget") String what) {
      sees("forget", what);
    }
  }

  /** RPC/literal. */
  @WebService(targetNamespace = "urn:twin:rpc")
  @SOAPBinding(style = SOAPBinding.Style.RPC)
  public static class Rpc extends Witness {
    @WebResult(name = "sum")
    public int add(@WebParam(name = "by") int by, @WebParam(name = "why") String why) {
      sees("add", by, why);
      return by + 1;
    }

    @WebResult(name = "changed")
    public Item change(@WebParam(name = "item") Item item, @WebParam(name = "note", mode = WebParam.Mode.INOUT) Holder<String> note) {
      sees("change", item, note.value);
      note.value = "noted";
      return item;
    }

    public void forget(@WebParam(name = "what") String what) {
      sees("forget", what);
    }

    public String[] array(@WebParam(name = "texts") String[] texts) {
      sees("array", new Object[] {texts});
      return texts;
    }
  }

  /** Header blocks in and out. */
  @WebService(targetNamespace = "urn:twin:headed")
  public static class Headed extends Witness {
    @WebResult(name = "stamped", header = true, targetNamespace = "urn:twin:headed")
    public String stamp(
        @WebParam(name = "what") String what,
        @WebParam(name = "token", header = true, mode = WebParam.Mode.INOUT, targetNamespace = "urn:twin:headed") Holder<String> token,
        @WebParam(name = "item", header = true, targetNamespace = "urn:twin:headed") Item item) {
      sees("stamp", what, token.value, item);
      token.value = token.value + "!";
      return "stamped " + what;
    }
  }

  /** MTOM. */
  @MTOM
  @WebService(targetNamespace = "urn:twin:mtom")
  public static class Optimized extends Witness {
    public byte[] echo(@WebParam(name = "bytes") byte[] bytes) {
      sees("echo", bytes);
      return bytes;
    }

    public List<Item> changeAll(@WebParam(name = "item") List<Item> items) {
      sees("changeAll", items);
      return new ArrayList<>(items);
    }
  }
}
