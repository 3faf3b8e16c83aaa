package org.understudy.container.twin;

import static org.understudy.container.twin.TwinMessage.to;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.understudy.container.Soap;

/** Messages whose XML is unusual. */
final class XmlMessages {
  private static final String ECHO = "<t:echo xmlns:t='urn:twin'><text>%s</text></t:echo>";
  private static final String PLAIN = Soap.envelope("", ECHO.formatted("gr\u00fcn"));

  private XmlMessages() {}

  private static TwinMessage echo(String name, String text) {
    return to("Texts", name).body(ECHO.formatted(text));
  }

  private static TwinMessage whole(String name, String xml) {
    return to("Texts", name).whole(xml);
  }

  private static TwinMessage payload(String name, String content) {
    return to("Payload", (name.contains(": ") ? "" : "payload ") + name).body(content);
  }

  private static TwinMessage charset(String name, String label, Charset encoding) {
    return whole(name, PLAIN).with("Content-Type", "text/xml" + (label == null ? "" : "; charset=" + label)).in(encoding);
  }

  static List<TwinMessage> all() {
    List<TwinMessage> all = new ArrayList<>();
    all.addAll(texts());
    all.addAll(envelopes());
    all.addAll(charsets());
    all.addAll(payloads());
    return all;
  }

  private static List<TwinMessage> texts() {
    return List.of(
        echo("text", "a text"),
        echo("text with identity", "a text").identified(),
        echo("CDATA", "<![CDATA[a<b]]>"),
        echo("comment in a text", "a<!-- c -->b"),
        echo("instruction in a text", "a<?pi x?>b"),
        echo("character references", "&#x20AC;&#65;&amp;&lt;&gt;&quot;&apos;"),
        echo("line ends", "a\r\nb\rc\nd&#13;e&#10;f&#9;"),
        echo("white space only", "  \n "),
        echo("empty text", ""),
        echo("astral characters", "\ud83d\ude00 \u0645\u0631\u062d\u0628\u0627 \u200b\ufeff"),
        echo("malformed: forbidden character", "a&#1;b"),
        echo("XML: unknown entity", "&nbsp;"),
        echo("CDATA end", "]]&gt;"),
        echo("element in a text", "a<b/>c"),
        to("Texts", "nil text").body(
            "<t:echo xmlns:t='urn:twin'><text xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:nil='true'/></t:echo>"),
        to("Texts", "nil text with content").body(
            "<t:echo xmlns:t='urn:twin'><text xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:nil='true'>x</text></t:echo>"),
        to("Texts", "nil operation").body(
            "<t:echo xmlns:t='urn:twin' xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:nil='true'><text>x</text></t:echo>"),
        to("Texts", "text missing").body("<t:echo xmlns:t='urn:twin'/>"),
        to("Texts", "text twice").body("<t:echo xmlns:t='urn:twin'><text>a</text><text>b</text></t:echo>"),
        to("Texts", "unknown element").body("<t:echo xmlns:t='urn:twin'><text>a</text><more>b</more></t:echo>"),
        to("Texts", "unknown element first").body("<t:echo xmlns:t='urn:twin'><more>b</more><text>a</text></t:echo>"),
        to("Texts", "unknown attribute").body("<t:echo xmlns:t='urn:twin' x='1'><text y='2'>a</text></t:echo>"),
        to("Texts", "qualified part").body("<t:echo xmlns:t='urn:twin'><t:text>a</t:text></t:echo>"),
        to("Texts", "text beside elements").body("<t:echo xmlns:t='urn:twin'> beside <text>a</text> it </t:echo>"),
        to("Texts", "comments between").body("<!-- a --><t:echo xmlns:t='urn:twin'><!-- b --><text>a</text><?c d?></t:echo><!-- e -->"),
        to("Texts", "default namespace").body("<echo xmlns='urn:twin'><text xmlns=''>a</text></echo>"),
        to("Texts", "no operation: wrong namespace").body("<t:echo xmlns:t='urn:other'><text>a</text></t:echo>"),
        to("Texts", "no operation: no namespace").body("<echo><text>a</text></echo>"),
        to("Texts", "no operation: unknown operation").body("<t:unknown xmlns:t='urn:twin'/>"),
        to("Texts", "no operation: response as request").body("<t:echoResponse xmlns:t='urn:twin'><return>a</return></t:echoResponse>"),
        to("Texts", "malformed: undeclared prefix").body("<t:echo><text>a</text></t:echo>"),
        to("Texts", "no operation: empty Body").body(""),
        to("Texts", "no operation: only text in the Body").body("text"),
        to("Texts", "not whole: text before the operation").body("text " + ECHO.formatted("a")),
        to("Texts", "not whole: two operations").body(ECHO.formatted("a") + ECHO.formatted("b")),
        to("Texts", "no operation: fault as request").body(
            "<e:Fault xmlns:e='" + Soap.SOAP11 + "'><faultcode>e:Server</faultcode><faultstring>x</faultstring></e:Fault>"),
        to("Texts", "large text").body(ECHO.formatted("x".repeat(200_000))),
        to("Texts", "long text in a large answer").body(
            "<t:repeat xmlns:t='urn:twin'><text>0123456789</text><times>30000</times></t:repeat>"),
        to("Texts", "3,000 rows").body("<t:rows xmlns:t='urn:twin'><n>3000</n></t:rows>"),
        to("Texts", "20,000 array items").body("<t:array xmlns:t='urn:twin'>" + "<texts>a</texts>".repeat(20_000) + "</t:array>"),
        to("Texts", "300 attributes").body("<t:echo xmlns:t='urn:twin'" + attributes(300) + "><text>a</text></t:echo>"),
        to("Texts", "malformed: 600 attributes").body("<t:echo xmlns:t='urn:twin'" + attributes(600) + "><text>a</text></t:echo>"));
  }

  private static String attributes(int number) {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < number; i++) {
      all.append(" a").append(i).append("='").append(i).append('\'');
    }
    return all.toString();
  }

  private static List<TwinMessage> envelopes() {
    String dtd = "<!DOCTYPE x [<!ENTITY y 'z'>]>";
    String e11 = " xmlns:e='" + Soap.SOAP11 + "'";
    String e12 = " xmlns:e='" + Soap.SOAP12 + "'";
    String understand = "<x:h xmlns:x='urn:x' e:mustUnderstand='%s'" + e11 + "/>";
    return List.of(
        whole("declaration", "<?xml version='1.0' encoding='UTF-8'?>" + PLAIN),
        whole("XML: declaration of XML 1.1", "<?xml version='1.1' encoding='UTF-8'?>" + PLAIN),
        whole("standalone declaration", "<?xml version='1.0' encoding='UTF-8' standalone='yes'?>\n" + PLAIN),
        whole("malformed: declaration after white space", " <?xml version='1.0'?>" + PLAIN),
        whole("white space before", " \r\n" + PLAIN),
        whole("comments around", "<!-- a -->" + PLAIN + "<!-- b --><?c d?>\n"),
        whole("XML: document type", dtd + PLAIN),
        whole("XML: document type with entity", dtd + PLAIN.replace("gr", "&y;")),
        whole("not whole: content after", PLAIN + "<x/>"),
        whole("not whole: text after", PLAIN + "x"),
        whole("malformed: cut in the Body", PLAIN.substring(0, PLAIN.indexOf("</t:echo>"))),
        whole("not whole: cut before the end", PLAIN.replace("</e:Envelope>", "")),
        whole("malformed: wrong end", PLAIN.replace("</e:Body>", "</e:Bode>")),
        whole("malformed: no XML", "hello"),
        whole("malformed: no content", ""),
        whole("malformed: JSON", "{\"a\": 1}"),
        whole("malformed: no envelope", ECHO.formatted("a")),
        whole("malformed: unknown envelope", PLAIN.replace(Soap.SOAP11, "urn:envelope")),
        whole("SOAP 1.2 envelope as text/xml", PLAIN.replace(Soap.SOAP11, Soap.SOAP12)),
        to("Texts", "SOAP 1.2 to a SOAP 1.1 service").soap12().body(ECHO.formatted("a")),
        to("Texts12", "SOAP 1.1 to a SOAP 1.2 service").body(ECHO.formatted("a")),
        to("Texts12", "SOAP 1.2").soap12().body(ECHO.formatted("a")),
        to("Texts12", "SOAP 1.2 with identity").soap12().identified().body(ECHO.formatted("a")),
        to("Texts12", "SOAP 1.2 with an action").soap12().action("urn:action").body(ECHO.formatted("a")),
        to("Texts12", "no operation: SOAP 1.2").soap12().body("<t:unknown xmlns:t='urn:twin'/>"),
        to("Texts12", "SOAP 1.2 role next").soap12().blocks(
            "<x:h xmlns:x='urn:x' e:role='" + Soap.SOAP12 + "/role/next'" + e12 + "/>").body(ECHO.formatted("a")),
        to("Texts12", "SOAP 1.2 mustUnderstand").soap12().blocks("<x:h xmlns:x='urn:x' e:mustUnderstand='true'" + e12 + "/>")
            .body(ECHO.formatted("a")),
        to("Texts12", "SOAP 1.2 relay").soap12().blocks("<x:h xmlns:x='urn:x' e:relay='true'" + e12 + "/>").body(ECHO.formatted("a")),
        to("Texts12", "SOAP 1.2 encodingStyle").soap12().body(
            "<t:echo xmlns:t='urn:twin' e:encodingStyle='urn:x'" + e12 + "><text>a</text></t:echo>"),
        whole("no Header", "<e:Envelope" + e11 + "><e:Body>" + ECHO.formatted("a") + "</e:Body></e:Envelope>"),
        whole("malformed: no Body", "<e:Envelope" + e11 + "><e:Header/></e:Envelope>"),
        whole("malformed: empty envelope", "<e:Envelope" + e11 + "/>"),
        whole("not whole: Header after the Body", "<e:Envelope" + e11 + "><e:Body>" + ECHO.formatted("a")
            + "</e:Body><e:Header/></e:Envelope>"),
        whole("not whole: two Headers", "<e:Envelope" + e11 + "><e:Header/><e:Header/><e:Body>" + ECHO.formatted("a")
            + "</e:Body></e:Envelope>"),
        whole("not whole: two Bodies", "<e:Envelope" + e11 + "><e:Body>" + ECHO.formatted("a") + "</e:Body><e:Body>" + ECHO.formatted("b")
            + "</e:Body></e:Envelope>"),
        whole("not whole: element after the Body", "<e:Envelope" + e11 + "><e:Body>" + ECHO.formatted("a") + "</e:Body><x/></e:Envelope>"),
        whole("not whole: unknown child of the envelope", "<e:Envelope" + e11 + "><x/><e:Body>" + ECHO.formatted("a")
            + "</e:Body></e:Envelope>"),
        whole("envelope as default namespace", "<Envelope xmlns='" + Soap.SOAP11 + "'><Body>" + ECHO.formatted("a").replace("<text",
            "<text xmlns=''") + "</Body></Envelope>"),
        whole("attributes of the envelope", PLAIN.replace("<e:Body>", "<e:Body id='b' xmlns:u='urn:u' u:Id='c'>")
            .replace("<e:Envelope", "<e:Envelope e:encodingStyle='http://schemas.xmlsoap.org/soap/encoding/'")),
        whole("white space between", PLAIN.replace("><", ">\r\n  <")),
        echo("unknown header block", "a").blocks("<x:h xmlns:x='urn:x'>y</x:h>"),
        echo("mustUnderstand", "a").blocks(understand.formatted("1")),
        echo("mustUnderstand true", "a").blocks(understand.formatted("true")),
        echo("mustUnderstand 0", "a").blocks(understand.formatted("0")),
        echo("mustUnderstand invalid", "a").blocks(understand.formatted("maybe")),
        echo("mustUnderstand for another actor", "a").blocks(understand.formatted("1").replace(" e:", " e:actor='urn:other' e:")),
        echo("mustUnderstand for the next", "a").blocks(
            understand.formatted("1").replace(" e:", " e:actor='http://schemas.xmlsoap.org/soap/actor/next' e:")),
        echo("header block without a namespace", "a").blocks("<h>y</h>"),
        echo("not whole: text in the Header", "a").blocks("y"),
        echo("header block twice", "a").blocks("<x:h xmlns:x='urn:x'>y</x:h><x:h xmlns:x='urn:x'>z</x:h>"));
  }

  private static List<TwinMessage> charsets() {
    byte[] utf8 = PLAIN.getBytes(StandardCharsets.UTF_8);
    byte[] marked = new byte[utf8.length + 3];
    marked[0] = (byte) 0xef;
    marked[1] = (byte) 0xbb;
    marked[2] = (byte) 0xbf;
    System.arraycopy(utf8, 0, marked, 3, utf8.length);
    return List.of(
        charset("charset utf-8", "utf-8", StandardCharsets.UTF_8),
        charset("charset quoted", "\"UTF-8\"", StandardCharsets.UTF_8),
        charset("charset in apostrophes", "'UTF-8'", StandardCharsets.UTF_8),
        charset("charset utf8", "utf8", StandardCharsets.UTF_8),
        charset("charset ISO-8859-1", "ISO-8859-1", StandardCharsets.ISO_8859_1),
        charset("charset latin1", "latin1", StandardCharsets.ISO_8859_1),
        charset("media type: charset windows-1252", "windows-1252", Charset.forName("windows-1252")),
        charset("charset us-ascii", "us-ascii", StandardCharsets.US_ASCII),
        charset("charset UTF-16", "UTF-16", StandardCharsets.UTF_16),
        charset("charset UTF-16LE", "UTF-16LE", StandardCharsets.UTF_16LE),
        charset("charset UTF-16BE", "UTF-16BE", StandardCharsets.UTF_16BE),
        charset("charset UTF16", "UTF16", StandardCharsets.UTF_16),
        charset("media type: charset UTF-32", "UTF-32", Charset.forName("UTF-32")),
        charset("media type: charset unknown", "x-nothing", StandardCharsets.UTF_8),
        charset("media type: charset empty", "", StandardCharsets.UTF_8),
        charset("encoding of the XML: no charset", null, StandardCharsets.UTF_8),
        charset("wrong charset", "UTF-8", StandardCharsets.ISO_8859_1),
        whole("declaration against the header", "<?xml version='1.0' encoding='ISO-8859-1'?>" + PLAIN),
        whole("declaration without the header", "<?xml version='1.0' encoding='ISO-8859-1'?>" + PLAIN)
            .with("Content-Type", "text/xml").in(StandardCharsets.ISO_8859_1),
        to("Texts", "byte order mark").whole(marked),
        to("Texts", "encoding of the XML: byte order mark without a charset").whole(marked).with("Content-Type", "text/xml"),
        to("Texts", "encoding of the XML: UTF-16 without a charset").whole(PLAIN).with("Content-Type", "text/xml")
            .in(StandardCharsets.UTF_16),
        to("Payload", "payload in ISO-8859-1").body("<p:x xmlns:p='urn:p'>gr\u00fcn</p:x>")
            .with("Content-Type", "text/xml; charset=ISO-8859-1").in(StandardCharsets.ISO_8859_1));
  }

  private static List<TwinMessage> payloads() {
    return List.of(
        payload("text", "<p:x xmlns:p='urn:p'>text</p:x>"),
        payload("with identity", "<p:x xmlns:p='urn:p'>text</p:x>").identified(),
        payload("CDATA, comment and instruction", "<p:x xmlns:p='urn:p'><![CDATA[<]]><!-- c --><?pi d?></p:x>"),
        payload("character references", "<p:x xmlns:p='urn:p' a='&#10;&#9;&lt;&quot;'>&#13;&lt;&amp;</p:x>"),
        payload("white space", "\n <p:x xmlns:p='urn:p'>\n <y/>\t</p:x> \n"),
        payload("attributes", "<p:x xmlns:p='urn:p' xmlns:q='urn:q' b='2' q:a='3' a='1'/>"),
        payload("qualified text", "<p:x xmlns:p='urn:p' xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:type='p:t'>p:name</p:x>"),
        payload("redeclared prefix", "<p:x xmlns:p='urn:p'><p:x xmlns:p='urn:q'/><p:x/></p:x>"),
        payload("default namespace", "<x xmlns='urn:p'><y xmlns=''><z xmlns='urn:q'/></y></x>"),
        payload("xml attributes", "<p:x xmlns:p='urn:p' xml:lang='de' xml:space='preserve' xml:base='urn:b' xml:id='i'> </p:x>"),
        payload("no namespace", "<x>text</x>"),
        payload("unusual names", "<p:\u00fc.b-c_1 xmlns:p='urn:p'><_x/><x.y/></p:\u00fc.b-c_1>"),
        payload("12,000 elements", "<p:x xmlns:p='urn:p'>" + "<r/>".repeat(12_000) + "</p:x>"),
        payload("300 attributes", "<p:x xmlns:p='urn:p'" + attributes(300) + "/>"),
        payload("90 levels", "<p:x xmlns:p='urn:p'>" + "<r>".repeat(90) + "</r>".repeat(90) + "</p:x>"),
        payload("malformed: 110 levels", "<p:x xmlns:p='urn:p'>" + "<r>".repeat(110) + "</r>".repeat(110) + "</p:x>"),
        payload("malformed: long attribute", "<p:x xmlns:p='urn:p' a='" + "x".repeat(70_000) + "'/>"),
        payload("long text", "<p:x xmlns:p='urn:p'>" + "x".repeat(200_000) + "</p:x>"),
        payload("empty Body", ""),
        payload("white space in the Body", "  "),
        payload("not whole: two elements", "<p:x xmlns:p='urn:p'/><p:y xmlns:p='urn:p'/>"),
        payload("null answer", "<p:null xmlns:p='urn:p'/>"),
        payload("failure", "<p:fail xmlns:p='urn:p'/>"),
        payload("answer of its own", "<p:text xmlns:p='urn:p'/>"),
        payload("fault as request", "<e:Fault xmlns:e='" + Soap.SOAP11
            + "'><faultcode>e:Server</faultcode><faultstring>x</faultstring></e:Fault>"),
        payload("header blocks", "<p:x xmlns:p='urn:p'/>").blocks("<x:h xmlns:x='urn:x'>y</x:h>"),
        payload("action", "<p:x xmlns:p='urn:p'/>").action("urn:try:cancel"),
        to("Whole", "whole text").body("<p:x xmlns:p='urn:p'>text</p:x>"),
        to("Whole", "whole with header blocks").body("<p:x xmlns:p='urn:p'>text</p:x>").blocks("<x:h xmlns:x='urn:x'>y</x:h>"),
        to("Whole", "whole with comments").body("<!-- a --><p:x xmlns:p='urn:p'><!-- b --></p:x><?c d?>"),
        to("Whole", "whole with white space").body("\n <p:x xmlns:p='urn:p'/>\n "),
        to("Whole", "whole with identity").body("<p:x xmlns:p='urn:p'>text</p:x>").identified(),
        to("Whole", "whole with attributes").whole("<e:Envelope xmlns:e='" + Soap.SOAP11 + "' xmlns:u='urn:u' u:a='1'><e:Body u:b='2'>"
            + "<u:x c='u:d'>u:e</u:x></e:Body></e:Envelope>"),
        to("Saaj", "saaj text").body("<p:x xmlns:p='urn:p'>text</p:x>"),
        to("Saaj", "saaj with header blocks").body("<p:x xmlns:p='urn:p'>text</p:x>").blocks("<x:h xmlns:x='urn:x'>y</x:h>"),
        to("Saaj", "saaj with comments").body("<!-- a --><p:x xmlns:p='urn:p'><!-- b --></p:x><?c d?>"),
        to("Saaj", "saaj with identity").body("<p:x xmlns:p='urn:p'>text</p:x>").identified(),
        to("Saaj12", "saaj of SOAP 1.2").soap12().body("<p:x xmlns:p='urn:p'>text</p:x>"));
  }
}
