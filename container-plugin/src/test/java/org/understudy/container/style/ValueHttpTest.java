package org.understudy.container.style;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.cxf.Bus;
import org.apache.cxf.jaxws.EndpointImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.attachment.FaultTolerantFeature;
import org.understudy.container.attachment.OwnServlet;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.TestCluster;

/**
 * Requests with numbers and booleans, each sent to the same class alone on CXF and replicated. A published service answers as CXF alone,
 * but rejects what the data binding would replace by another value. An attached endpoint always answers as CXF alone.
 */
class ValueHttpTest {
  private static final String XML = "text/xml; charset=UTF-8";
  private static final List<Class<? extends Counted>> SERVICES = List.of(Values.Wrapped.class, Values.Bare.class, Values.Rpc.class);

  @TempDir private Path directory;

  /**
   * A request.
   *
   * @param header the content of the header
   * @param reason a part of the fault with which a published service rejects it; null when it answers as CXF alone
   */
  private record Row(Class<? extends Counted> service, String header, String operation, String content, String reason) {
    byte[] envelope() {
      String attributes = operation.contains(" ") ? operation.substring(operation.indexOf(' ')) : "";
      String name = "v:" + operation.substring(0, operation.length() - attributes.length());
      String namespaces =
          " xmlns:v='urn:values' xmlns:i='http://www.w3.org/2001/XMLSchema-instance' xmlns:x='http://www.w3.org/2001/XMLSchema'";
      return Soap.envelope(header.replaceFirst("(/?>)", namespaces + "$1"),
              "<" + name + namespaces + attributes + ">" + content + "</" + name + ">")
          .getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
      return service.getSimpleName() + " " + header + " " + operation + " " + content;
    }
  }

  private static Row same(String operation, String content) {
    return new Row(Values.Wrapped.class, "", operation, content, null);
  }

  private static Row rejected(String operation, String content, String reason) {
    return new Row(Values.Wrapped.class, "", operation, content, reason);
  }

  private static final String INT = "is not a valid xs:int";

  private static Stream<Row> texts() {
    return Stream.of(
        same("number", "<value>+5</value>"),
        same("number", "<value>-0005</value>"),
        same("number", "<value> \n\t5 </value>"),
        same("number", "<value>5<!-- five -->5</value>"),
        same("number", "<value><![CDATA[7]]></value>"),
        same("number", "<value>-2147483648</value>"),
        same("number", "<value i:type='x:int'>4</value>"),
        same("number", "<value i:type='x:string'>4</value>"),
        same("number", "<value>4</value><value>5</value>"),
        rejected("number", "<value>2147483648</value>", "The content of the element value " + INT),
        rejected("number", "<value>99999999999999999999</value>", INT),
        rejected("number", "<value>5 5</value>", INT),
        rejected("number", "<value>\u20035</value>", INT),
        rejected("number", "<value>\u0661</value>", INT),
        rejected("number", "<value>1.0</value>", INT),
        rejected("number", "<value>four</value>", INT),
        rejected("number", "<value i:type='x:string'>four</value>", INT),
        rejected("number", "<value>5<other/>5</value>", "stands in the content of an xs:int"),
        rejected("number", "<value/>", INT),
        rejected("number", "", "The element number lacks the element value."),
        rejected("number", "<value i:nil='true'/>", "must not be nil"),
        same("real", "<single>INF</single><twice>-INF</twice>"),
        same("real", "<single>NaN</single><twice> 1e4 </twice>"),
        same("real", "<single>.5</single><twice>+1.E-2</twice>"),
        rejected("real", "<single>+INF</single><twice>1</twice>", "not a valid xs:float"),
        rejected("real", "<single>1</single><twice>Infinity</twice>", "not a valid xs:double"),
        rejected("real", "<single>1</single><twice>0x1p3</twice>", "not a valid xs:double"),
        rejected("real", "<single>1f</single><twice>1</twice>", "not a valid xs:float"),
        rejected("real", "<single>1,5</single><twice>1</twice>", "not a valid xs:float"),
        same("flag", "<on>1</on>"),
        same("flag", "<on>0</on>"),
        same("flag", "<on> true </on>"),
        rejected("flag", "<on>TRUE</on>", "not a valid xs:boolean"),
        rejected("flag", "<on>yes</on>", "not a valid xs:boolean"),
        rejected("flag", "<on/>", "not a valid xs:boolean"));
  }

  private static Stream<Row> declarations() {
    String rest = "<on>1</on><ratio>1</ratio><maybe>4</maybe></it>";
    return Stream.of(
        same("defaults", "<it><count/><on/><ratio/><maybe i:nil='true'/></it>"),
        same("defaults", "<it><count><!-- none --></count>" + rest),
        same("defaults", "<it>" + rest),
        same("defaults", "<it><count i:nil='true'/>" + rest),
        rejected("defaults", "<it><count> </count>" + rest, INT),
        rejected("defaults", "<it><count>2147483648</count>" + rest, INT),
        rejected("defaults", "<it><on>yes</on><maybe>4</maybe></it>", "not a valid xs:boolean"),
        rejected("defaults", "<it><maybe/></it>", INT),
        // The operations number and word have an element of the same name and of different types.
        same("word", "<value>hello</value>"),
        same("word", "<value/>"),
        same("word", ""),
        same("collections", "<it><list>1 2\n3</list><number>4</number><many>1</many><many i:nil='true'/></it>"),
        same("collections", "<it><list/><word>hello</word></it>"),
        rejected("collections", "<it><list>1 99999999999</list></it>", "The content of the element list " + INT),
        rejected("collections", "<it><list>1 x</list></it>", INT),
        rejected("collections", "<it><number>99999999999</number></it>", INT),
        rejected("collections", "<it><many/></it>", "not a valid xs:long"),
        same("adapted", "<it><value>0x10</value><length>3</length><grade> 2 </grade></it>"),
        rejected("adapted", "<it><length>4294967299</length></it>", INT),
        rejected("adapted", "<it><grade>x</grade></it>", INT),
        same("adapted", "<it><amount currency='EUR' digits=' 2 '> 5 </amount></it>"),
        rejected("adapted", "<it><amount currency='EUR'/></it>", INT),
        rejected("adapted", "<it><amount digits=''>1</amount></it>", "The attribute digits of the element amount " + INT),
        rejected("adapted", "<it><amount digits='99999999999'>1</amount></it>", INT));
  }

  private static Stream<Row> places() {
    return Stream.of(
        same("any", "<it><count>1</count><z:note xmlns:z='urn:z'><value>hello</value><count/></z:note></it>"),
        same("any", "<it><count>1</count><v:number/></it>"),
        same("any", "<it><count>1</count><v:number><value>x</value></v:number></it>"),
        same("any", "<it><z:count xmlns:z='urn:z'>x</z:count><count>5</count></it>"),
        rejected("any", "<it><count>99999999999</count><v:number/></it>", INT),
        same("known", "<it><z:note xmlns:z='urn:z'><value>hello</value></z:note></it>"),
        same("known", "<it><v:number/></it>"),
        same("known", "<it><v:number><value>5</value></v:number></it>"),
        same("known", "<it><dog><legs>x</legs></dog></it>"),
        rejected("known", "<it><v:number><value>99999999999</value></v:number></it>", INT),
        same("figure", "<it i:type='v:roundShape'><value>1</value><radius>5</radius></it>"),
        same("figure", "<it i:type='v:namedShape'><value>1</value><radius>long</radius></it>"),
        same("figure", "<it i:nil='true'/>"),
        same("figure", "<it/>"),
        same("figure", "<it i:type='v:unknown'><value>1</value></it>"),
        rejected("figure", "<it i:type='v:roundShape'><radius>99999999999</radius></it>", INT),
        rejected("figure", "<it i:type='v:roundShape'><value>1</value></it>", "The element it lacks the element radius."),
        rejected("figure", "<it i:type='v:namedShape'><value>99999999999</value></it>", INT),
        same("cage", "<it><v:animal><legs>4</legs></v:animal></it>"),
        same("cage", "<it><v:dog><legs>4</legs><teeth>32</teeth></v:dog></it>"),
        rejected("cage", "<it><v:dog><legs>4</legs><teeth>99999999999</teeth></v:dog></it>", INT),
        rejected("cage", "<it><v:dog><legs>4</legs></v:dog></it>", "The element dog lacks the element teeth."),
        same("object", "<it><value>hello</value></it>"),
        same("object", "<it i:type='x:int'>4</it>"),
        same("object", "<it i:type='x:string'>four</it>"),
        rejected("object", "<it i:type='x:int'/>", INT),
        rejected("object", "<it i:type='v:roundShape'><radius>99999999999</radius></it>", INT));
  }

  private static Stream<Row> headers() {
    String text = "<text>a</text>";
    return Stream.of(
        new Row(Values.Wrapped.class, "<v:mark>5</v:mark>", "marked", text, null),
        new Row(Values.Wrapped.class, "<v:mark i:nil='true'/>", "marked", text, null),
        new Row(Values.Wrapped.class, "<v:mark>99999999999</v:mark>", "marked", text, "The content of the element mark " + INT),
        new Row(Values.Wrapped.class, "<v:mark/>", "marked", text, INT),
        // Operations that do not read the header.
        new Row(Values.Wrapped.class, "<v:mark>x</v:mark>", "word", "<value>a</value>", null),
        new Row(Values.Wrapped.class, "<v:number/>", "word", "<value>a</value>", null),
        new Row(Values.Wrapped.class, "<v:note><value>x</value></v:note>", "word", "<value>a</value>", null));
  }

  private static Stream<Row> otherStyles() {
    Class<Values.Bare> bare = Values.Bare.class;
    Class<Values.Rpc> rpc = Values.Rpc.class;
    return Stream.of(
        new Row(bare, "", "number", " 5 ", null),
        new Row(bare, "", "number i:nil='true'", "", null),
        new Row(bare, "", "number", "99999999999", INT),
        new Row(bare, "", "number", "", INT),
        new Row(bare, "", "defaults", "<count/><on/><ratio/><maybe i:nil='true'/>", null),
        new Row(bare, "", "defaults i:nil='true'", "", null),
        new Row(bare, "", "defaults", "<count>99999999999</count><maybe>1</maybe>", INT),
        new Row(bare, "", "any", "<count>1</count><v:number>x</v:number>", null),
        new Row(bare, "", "any", "<count>1</count><z:note xmlns:z='urn:z'><count>x</count></z:note>", null),
        new Row(rpc, "", "number", "<value>5</value><it><count/><maybe>1</maybe></it>", null),
        new Row(rpc, "", "number", "<it><count>1</count><maybe i:nil='true'/></it><value> 5</value>", null),
        new Row(rpc, "", "number", "<value>5</value><it><count>99999999999</count><maybe>1</maybe></it>", INT),
        new Row(rpc, "", "number", "<value>99999999999</value><it><maybe>1</maybe></it>", INT),
        new Row(rpc, "", "number", "<it><maybe>1</maybe></it>", "The element number lacks the element value."),
        new Row(rpc, "", "word", "<value>hello</value><it><count>5</count><value>x</value><v:number/></it>", null),
        new Row(rpc, "", "word", "<value>hello</value><it><count>5</count><v:number><value>x</value></v:number></it>", null));
  }

  private static Stream<Row> rows() {
    return Stream.of(texts(), declarations(), places(), headers(), otherStyles()).flatMap(rows -> rows);
  }

  private static void publish(Bus bus, FaultTolerantFeature... features) {
    for (Class<? extends Counted> service : SERVICES) {
      try {
        EndpointImpl endpoint = new EndpointImpl(bus, service.getDeclaredConstructor().newInstance());
        for (FaultTolerantFeature feature : features) {
          endpoint.getFeatures().add(feature);
        }
        endpoint.publish("/" + service.getSimpleName());
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private PlainCxf alone() throws Exception {
    return new PlainCxf(Files.createDirectories(directory.resolve("plain")), bus -> publish(bus));
  }

  /** Status and content; the reason of an exception in the service is not for clients. */
  private static String seen(Answer answer) {
    return answer.status() == 200 ? answer.text().replaceAll("(?s).*<(?:return|\\w+:\\w+Response)[^>]*>(.*?)</.*", "$1") : "fault";
  }

  private static String alone(PlainCxf cxf, TestCluster client, Row row) {
    return seen(client.post(0, cxf.url("/" + row.service().getSimpleName()), row.envelope(), XML));
  }

  @Test
  void aPublishedServiceRejectsOnlyWhatTheDataBindingWouldReplace() throws Exception {
    try (PlainCxf cxf = alone()) {
      for (Class<? extends Counted> service : SERVICES) {
        try (ServiceCluster site = new ServiceCluster(directory, service, 1, Map.of())) {
          for (Row row : rows().filter(one -> one.service() == service).toList()) {
            String alone = alone(cxf, site, row);
            int before = Values.EXECUTIONS.get();
            Answer answer = site.post(1, site.service(), row.envelope(), XML);
            if (row.reason() == null) {
              assertEquals(alone, seen(answer), row + ": " + answer.text());
            } else {
              assertEquals(500, answer.status(), row.toString());
              assertTrue(answer.text().contains(row.reason()), row + ": " + answer.text());
              assertEquals(before, Values.EXECUTIONS.get(), row.toString());
            }
          }
        }
      }
    }
  }

  @Test
  void anAttachedEndpointReadsValuesAsCxfAlone() throws Exception {
    try (PlainCxf cxf = alone();
        TestCluster site =
            new TestCluster(directory, new OwnServlet(bus -> publish(bus, new FaultTolerantFeature())), 1, Map.of())) {
      Stream<Row> nil = Stream.of(same("number i:nil='true'", "<value>4</value>"), same("defaults i:nil='true'", ""));
      for (Row row : Stream.concat(rows(), nil).toList()) {
        Answer answer = site.post(1, "/soap/" + row.service().getSimpleName(), row.envelope(), XML);
        assertEquals(alone(cxf, site, row), seen(answer), row + ": " + answer.text());
      }
    }
  }
}
