package org.understudy.container.twin;

import static org.understudy.container.twin.TwinMessage.to;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.understudy.container.Soap;

/** Messages to services of each style: bare, RPC, header blocks, attachments, one-way. */
final class StyleMessages {
  private static final String NIL = " xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:nil='true'";
  private static final String ECHO = "<t:echo xmlns:t='urn:twin'><text>a</text></t:echo>";
  private static final String MULTIPART = "multipart/related; boundary=parts; start=\"<root>\"; start-info=\"text/xml\"; type=";

  private StyleMessages() {}

  private static TwinMessage bare(String name, String content) {
    return to("Bare", (name.contains(": ") ? "" : "bare ") + name).body(content.replaceFirst("<b:(\\w+)", "<b:$1 xmlns:b='urn:twin:bare'"));
  }

  private static TwinMessage handled(String name, String content) {
    return to("Handled", (name.contains(": ") ? "" : "handled ") + name).body(content);
  }

  private static TwinMessage rpc(String name, String content) {
    return to("Rpc", (name.contains(": ") ? "" : "rpc ") + name).body(content.replaceFirst("<r:(\\w+)", "<r:$1 xmlns:r='urn:twin:rpc'"));
  }

  private static TwinMessage headed(String name, String blocks) {
    return to("Headed", "headed " + name).body("<h:stamp xmlns:h='urn:twin:headed'><what>it</what></h:stamp>").blocks(blocks);
  }

  private static TwinMessage multipart(String service, String name, String type, String body, int parts) {
    boolean xop = type.equals("application/xop+xml");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    String root = xop ? "application/xop+xml; charset=UTF-8; type=\"text/xml\"" : "text/xml; charset=UTF-8";
    out.writeBytes(("--parts\r\nContent-Type: " + root + "\r\nContent-ID: <root>\r\n\r\n" + Soap.envelope("", body))
        .getBytes(StandardCharsets.UTF_8));
    for (int i = 0; i < parts; i++) {
      out.writeBytes(("\r\n--parts\r\nContent-Type: application/x-twin\r\nContent-Transfer-Encoding: binary\r\nContent-ID: <data" + i
          + ">\r\nContent-Disposition: attachment; name=\"file " + i + "\"\r\n\r\n").getBytes(StandardCharsets.UTF_8));
      out.writeBytes(new byte[3_000 + i]);
    }
    out.writeBytes("\r\n--parts--\r\n".getBytes(StandardCharsets.UTF_8));
    return to(service, name).whole(out.toByteArray()).with("Content-Type", MULTIPART + "\"" + type + "\"");
  }

  static List<TwinMessage> all() {
    String include = "<x:Include xmlns:x='http://www.w3.org/2004/08/xop/include' href='cid:%s'/>";
    String token = "<h:token xmlns:h='urn:twin:headed'>a</h:token>";
    return List.of(
        bare("number", "<b:add>4</b:add>"),
        bare("number invalid", "<b:add>four</b:add>"),
        bare("number empty", "<b:add/>"),
        bare("number with identity", "<b:add>4</b:add>").identified(),
        bare("empty Body with an action", "").action("urn:twin:bare:next"),
        bare("empty Body with the action of a read", "").action("urn:twin:bare:last"),
        bare("no operation: bare empty Body without an action", ""),
        bare("no operation: bare empty Body with an unknown action", "").action("urn:twin:bare:other"),
        bare("item", "<b:change used='true'><count>1</count><price>2</price></b:change>"),
        bare("item nil", "<b:change" + NIL + "/>"),
        bare("void", "<b:forget>it</b:forget>"),
        bare("void nil", "<b:forget" + NIL + "/>"),
        bare("two elements", "<b:add>4</b:add><b:add xmlns:b='urn:twin:bare'>5</b:add>"),
        bare("no operation: bare", "<b:unknown/>"),
        rpc("call", "<r:add><by>3</by><why>so</why></r:add>"),
        rpc("call with identity", "<r:add><by>3</by><why>so</why></r:add>").identified(),
        rpc("part missing", "<r:add><by>3</by></r:add>"),
        rpc("number missing", "<r:add><why>so</why></r:add>"),
        rpc("number invalid", "<r:add><by>x</by><why>so</why></r:add>"),
        rpc("parts in another order", "<r:add><why>so</why><by>3</by></r:add>"),
        rpc("unknown part", "<r:add><by>3</by><why>so</why><more/></r:add>"),
        rpc("part nil", "<r:add><by>3</by><why" + NIL + "/></r:add>"),
        rpc("qualified parts", "<r:add><r:by>3</r:by><r:why>so</r:why></r:add>"),
        rpc("item", "<r:change><item used='true'><count>1</count><price>2</price></item><note>n</note></r:change>"),
        rpc("void", "<r:forget><what>it</what></r:forget>"),
        rpc("array", "<r:array><texts><item>a</item><item/></texts></r:array>"),
        rpc("no operation: rpc", "<r:unknown/>"),
        rpc("no operation: rpc of another namespace", "<x:add xmlns:x='urn:x'><by>3</by><why>so</why></x:add>"),
        headed("token", token),
        headed("token with identity", token).identified(),
        headed("token and item", token + "<h:item xmlns:h='urn:twin:headed' used='1'><count>1</count><price>2</price></h:item>"),
        headed("token missing", ""),
        headed("token that must be understood", token.replace("<h:token", "<h:token xmlns:e='" + Soap.SOAP11 + "' e:mustUnderstand='1'")),
        headed("token nil", token.replace("'>a", "'" + NIL + ">")),
        headed("token twice", token + token.replace(">a", ">b")),
        headed("unknown block", token + "<x:h xmlns:x='urn:x'>y</x:h>"),
        headed("item invalid", token + "<h:item xmlns:h='urn:twin:headed' used='1'><count>x</count></h:item>"),
        multipart("Optimized", "mtom", "application/xop+xml", "<m:echo xmlns:m='urn:twin:mtom'><bytes>" + include.formatted("data0")
            + "</bytes></m:echo>", 1),
        multipart("Optimized", "mtom unknown part", "application/xop+xml", "<m:echo xmlns:m='urn:twin:mtom'><bytes>"
            + include.formatted("other") + "</bytes></m:echo>", 1),
        multipart("Optimized", "mtom twice the same part", "application/xop+xml",
            "<m:changeAll xmlns:m='urn:twin:mtom'><item used='1'><count>1"
            + "</count><price>1</price><bytes>" + include.formatted("data0") + "</bytes><file>" + include.formatted("data0")
            + "</file></item></m:changeAll>", 1),
        multipart("Optimized", "mtom without parts", "application/xop+xml",
            "<m:echo xmlns:m='urn:twin:mtom'><bytes>AAEC</bytes></m:echo>", 0),
        to("Optimized", "mtom service inline").body("<m:echo xmlns:m='urn:twin:mtom'><bytes>AAEC</bytes></m:echo>"),
        to("Optimized", "mtom service large inline").body("<m:echo xmlns:m='urn:twin:mtom'><bytes>" + "AAEC".repeat(2_000)
            + "</bytes></m:echo>"),
        to("Optimized", "mtom empty").body("<m:echo xmlns:m='urn:twin:mtom'><bytes/></m:echo>"),
        multipart("Texts", "mtom to a service without", "application/xop+xml",
            "<t:change xmlns:t='urn:twin'><item used='1'><count>1</count><price>1</price><bytes>" + include.formatted("data0")
                + "</bytes></item></t:change>", 1),
        multipart("Saaj", "saaj with attachments", "text/xml", "<p:x xmlns:p='urn:p'>cid:data0</p:x>", 2),
        multipart("Attached", "swa", "text/xml", "<a:echo xmlns:a='urn:twin:swa'><data>cid:data0</data></a:echo>", 1),
        multipart("Attached", "swa unknown part", "text/xml", "<a:echo xmlns:a='urn:twin:swa'><data>cid:other</data></a:echo>", 1),
        handled("text", ECHO),
        handled("text with identity", ECHO).identified(),
        handled("with header blocks", ECHO).blocks("<x:h xmlns:x='urn:x'>y</x:h>"),
        handled("with comments in the request", ECHO.replace("<text>", "<!-- c --><text><![CDATA[<]]>")),
        handled("with a query", ECHO).method("POST", "?a=b").with("X-Own", "one"),
        handled("null answer", "<t:nullText xmlns:t='urn:twin'/>"),
        handled("failure", "<t:fail xmlns:t='urn:twin'><how>declared</how></t:fail>"),
        handled("runtime failure", "<t:fail xmlns:t='urn:twin'><how>runtime</how></t:fail>"),
        handled("list", "<t:list xmlns:t='urn:twin'><n>3</n></t:list>"),
        handled("no operation: handled", "<t:unknown xmlns:t='urn:twin'/>"),
        multipart("Texts", "attachments that nothing refers to", "text/xml",
            "<t:echo xmlns:t='urn:twin'><text>a</text></t:echo>", 2),
        to("Texts", "malformed: multipart without parts").whole("nothing").with("Content-Type", MULTIPART + "\"text/xml\""),
        to("Texts", "one-way").body("<t:note xmlns:t='urn:twin'><text>a</text></t:note>").awaited(),
        to("Texts", "one-way with identity").body("<t:note xmlns:t='urn:twin'><text>a</text></t:note>").identified().awaited());
  }
}
