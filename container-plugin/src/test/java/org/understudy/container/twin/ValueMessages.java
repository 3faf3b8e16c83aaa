package org.understudy.container.twin;

import static org.understudy.container.twin.TwinMessage.to;

import java.util.ArrayList;
import java.util.List;

/** Messages with values of each type, valid and not. */
final class ValueMessages {
  private static final String NIL = " xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:nil='true'";
  private static final String TYPE = " xmlns:i='http://www.w3.org/2001/XMLSchema-instance' xmlns:x='http://www.w3.org/2001/XMLSchema'"
      + " xmlns:m='urn:twin:item' i:type=";

  private ValueMessages() {}

  private static TwinMessage item(String name, String content) {
    return to("Texts", "item " + name).body("<t:change xmlns:t='urn:twin'><item used='true'>" + content + "</item></t:change>");
  }

  private static TwinMessage counted(String name, String content) {
    return item(name, "<count>1</count>" + content + "<price>1.5</price>");
  }

  private static TwinMessage numbers(String name, String content) {
    return to("Texts", "numbers " + name).body("<t:numbers xmlns:t='urn:twin'>" + content + "</t:numbers>");
  }

  private static String numbers(String i, String l, String s, String b, String d, String f, String z) {
    return "<i>" + i + "</i><l>" + l + "</l><s>" + s + "</s><b>" + b + "</b><d>" + d + "</d><f>" + f + "</f><z>" + z + "</z>";
  }

  static List<TwinMessage> all() {
    List<TwinMessage> all = new ArrayList<>();
    all.addAll(numbers());
    all.addAll(items());
    all.addAll(List.of(
        to("Texts", "null answer").body("<t:nullText xmlns:t='urn:twin'/>"),
        to("Texts", "void answer").body("<t:nothing xmlns:t='urn:twin'><text>a</text></t:nothing>"),
        to("Texts", "list").body("<t:list xmlns:t='urn:twin'><n>5</n></t:list>"),
        to("Texts", "empty list").body("<t:list xmlns:t='urn:twin'><n>0</n></t:list>"),
        to("Texts", "null list").body("<t:list xmlns:t='urn:twin'><n>-1</n></t:list>"),
        to("Texts", "array").body("<t:array xmlns:t='urn:twin'><texts>a</texts><texts/><texts" + NIL + "/></t:array>"),
        to("Texts", "no array").body("<t:array xmlns:t='urn:twin'/>"),
        to("Texts", "items").body("<t:changeAll xmlns:t='urn:twin'><item used='1'><count>1</count><price>1</price></item><item used='0'>"
            + "<count>2</count><price>2</price></item></t:changeAll>"),
        to("Texts", "in and out").body("<t:inOut xmlns:t='urn:twin'><text>a</text><item used='1'><count>1</count><price>1</price></item>"
            + "</t:inOut>"),
        to("Texts", "in and out without content").body("<t:inOut xmlns:t='urn:twin'/>"),
        to("Texts", "read").body("<t:read xmlns:t='urn:twin'><text>a</text></t:read>"),
        to("Texts", "read with identity").body("<t:read xmlns:t='urn:twin'><text>a</text></t:read>"),
        to("Validated", "valid by schema").body("<t:echo xmlns:t='urn:twin'><text>a</text></t:echo>"),
        to("Validated", "invalid by schema").body("<t:echo xmlns:t='urn:twin'><text>a</text><more/></t:echo>"),
        to("Validated", "invalid number by schema").body("<t:list xmlns:t='urn:twin'><n>many</n></t:list>"),
        to("Validated", "item by schema").body(
            "<t:change xmlns:t='urn:twin'><item used='true'><count>1</count><preset/><price>1</price></item></t:change>")));
    return all;
  }

  private static List<TwinMessage> numbers() {
    return List.of(
        numbers("valid", numbers("1", "2", "3", "4", "5.5", "6.5", "true") + "<boxed>7</boxed><big>8</big>"),
        numbers("with white space", numbers(" 1 ", "\n2", "3\t", " 4", " 5.5 ", " 6.5 ", " true ") + "<boxed> 7 </boxed>"),
        numbers("with signs", numbers("+1", "-2", "-0", "+4", "-5.5e3", "+.5", "1") + "<boxed>-7</boxed><big>+8</big>"),
        numbers("special", numbers("007", "0", "0", "0", "INF", "NaN", "0")),
        numbers("limits", numbers("2147483647", "-9223372036854775808", "-32768", "127", "1.7976931348623157E308", "1.4E-45", "false")),
        numbers("int above", numbers("2147483648", "2", "3", "4", "5.5", "6.5", "true")),
        numbers("byte above", numbers("1", "2", "3", "300", "5.5", "6.5", "true")),
        numbers("text", numbers("one", "2", "3", "4", "5.5", "6.5", "true")),
        numbers("empty", numbers("", "2", "3", "4", "5.5", "6.5", "true")),
        numbers("decimal for int", numbers("1.5", "2", "3", "4", "5.5", "6.5", "true")),
        numbers("text for double", numbers("1", "2", "3", "4", "much", "6.5", "true")),
        numbers("java double", numbers("1", "2", "3", "4", "Infinity", "6.5f", "true")),
        numbers("hexadecimal", numbers("0x1F", "2", "3", "4", "5", "6", "true")),
        numbers("yes for boolean", numbers("1", "2", "3", "4", "5.5", "6.5", "yes")),
        numbers("TRUE for boolean", numbers("1", "2", "3", "4", "5.5", "6.5", "TRUE")),
        numbers("missing", "<i>1</i>"),
        numbers("none", ""),
        numbers("nil", numbers("1", "2", "3", "4", "5.5", "6.5", "true").replace("<i>1</i>", "<i" + NIL + "/>")),
        numbers("boxed empty", numbers("1", "2", "3", "4", "5.5", "6.5", "true") + "<boxed/>"),
        numbers("boxed text", numbers("1", "2", "3", "4", "5.5", "6.5", "true") + "<boxed>many</boxed>"),
        numbers("boxed nil", numbers("1", "2", "3", "4", "5.5", "6.5", "true") + "<boxed" + NIL + "/>"),
        numbers("big text", numbers("1", "2", "3", "4", "5.5", "6.5", "true") + "<big>many</big>"),
        numbers("twice", numbers("1", "2", "3", "4", "5.5", "6.5", "true") + "<i>9</i>"),
        numbers("in another order", "<z>true</z><i>1</i><f>6</f><d>5</d><b>4</b><s>3</s><l>2</l>"),
        numbers("with a comment", numbers("1<!-- c -->2", "2", "3", "4", "5.5", "6.5", "true")),
        numbers("with an element", numbers("1<x/>", "2", "3", "4", "5.5", "6.5", "true")),
        numbers("in CDATA", numbers("<![CDATA[1]]>", "2", "3", "4", "5.5", "6.5", "true")),
        numbers("Arabic digits", numbers("\u0661", "2", "3", "4", "5.5", "6.5", "true")));
  }

  private static List<TwinMessage> items() {
    return List.of(
        counted("complete", "<preset>1</preset><presetFlag>false</presetFlag><nillable>3</nillable>"),
        counted("nillable nil", "<nillable" + NIL + "/>"),
        counted("nillable empty", "<nillable/>"),
        counted("default for an empty number", "<preset/>"),
        counted("default for an empty boolean", "<presetFlag/>"),
        counted("default for white space", "<preset> </preset>"),
        counted("invalid where a default is", "<preset>many</preset>"),
        item("required number missing", "<price>1</price>"),
        item("required number empty", "<count/><price>1</price>"),
        item("required number invalid", "<count>x</count><price>1</price>"),
        item("price nil", "<count>1</count><price" + NIL + "/>"),
        item("price invalid", "<count>1</count><price>cheap</price>"),
        item("price empty", "<count>1</count><price/>"),
        item("price exponent", "<count>1</count><price>1E3</price>"),
        item("price long", "<count>1</count><price>-0012345678901234567890.123456789000</price>"),
        item("price missing", "<count>1</count>"),
        counted("enumeration", "<color>dark red</color>"),
        counted("unknown enumeration", "<color>BLUE</color>"),
        counted("date and time", "<when>2026-10-25T02:30:00.123456789+01:00</when><day>2024-02-29</day><span>P1DT2H3.5S</span>"),
        counted("date and time in UTC", "<when>2026-10-25T24:00:00Z</when><day>-0001-01-01Z</day><span>-P1Y</span>"),
        counted("date and time invalid", "<when>2026-13-25T02:30:00</when><day>yesterday</day><span>long</span>"),
        counted("date and time empty", "<when/><day/><span/>"),
        counted("bytes", "<bytes>AAEC\n /w==</bytes><hex>0aFF</hex>"),
        counted("bytes invalid", "<bytes>!!</bytes><hex>0</hex>"),
        counted("bytes empty", "<bytes/><hex/>"),
        counted("qualified name", "<qname xmlns:q='urn:q'>q:name</qname>"),
        counted("qualified name without a prefix", "<qname>name</qname>"),
        counted("qualified name unbound", "<qname>u:name</qname>"),
        counted("list of numbers", "<numbers>1 2  3</numbers>"),
        counted("list of numbers invalid", "<numbers>1 two 3</numbers>"),
        counted("children",
            "<child used='1'><count>2</count><price>2</price></child><child used='0'><count>3</count><price>3</price></child>"),
        counted("child without its number", "<child used='1'><price>2</price></child>"),
        counted("qualified", "<o:qualified xmlns:o='urn:twin:other'>a</o:qualified>"),
        counted("choice of text", "<byName>a</byName>"),
        counted("choice of number", "<byNumber>7</byNumber>"),
        counted("choice of both", "<byName>a</byName><byNumber>7</byNumber>"),
        counted("choice of an invalid number", "<byNumber>seven</byNumber>"),
        counted("any content", "<x:note xmlns:x='urn:x'><value>hello</value></x:note>"),
        counted("any content named like a number", "<x:note xmlns:x='urn:x'><count>hello</count><i>many</i><n/></x:note>"),
        counted("any content with an operation", "<x:note xmlns:x='urn:x'><t:numbers xmlns:t='urn:twin'/></x:note>"),
        counted("any content that is an operation", "<t:echo xmlns:t='urn:twin'><text>a</text></t:echo>"),
        counted("any attributes", "")
            .body("<t:change xmlns:t='urn:twin'><item used='true' rank='2' xmlns:x='urn:x' x:a='b' y='z'><count>1</count>"
            + "<price>1</price></item></t:change>"),
        counted("attribute invalid", "")
            .body("<t:change xmlns:t='urn:twin'><item used='maybe' rank='second'><count>1</count><price>1</price>"
            + "</item></t:change>"),
        counted("attribute missing", "").body("<t:change xmlns:t='urn:twin'><item><count>1</count><price>1</price></item></t:change>"),
        counted("subclass", "").body("<t:change xmlns:t='urn:twin'><item used='1'" + TYPE + "'m:special'><count>1</count><price>1</price>"
            + "<extra>more</extra></item></t:change>"),
        counted("unknown type", "").body("<t:change xmlns:t='urn:twin'><item used='1'" + TYPE
            + "'m:nothing'><count>1</count><price>1</price>"
            + "</item></t:change>"),
        counted("type of another kind", "").body("<t:change xmlns:t='urn:twin'><item used='1'" + TYPE + "'x:string'><count>1</count></item>"
            + "</t:change>"),
        counted("type of a number", "<nillable" + TYPE + "'x:int'>3</nillable>"),
        counted("nil", "").body("<t:change xmlns:t='urn:twin'><item" + NIL + "/></t:change>"),
        counted("missing", "").body("<t:change xmlns:t='urn:twin'/>"),
        counted("elements in another order", "<name>late</name><qname xmlns:q='urn:q'>q:n</qname>"));
  }
}
