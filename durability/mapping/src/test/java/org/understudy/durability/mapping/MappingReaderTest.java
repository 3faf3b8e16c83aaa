package org.understudy.durability.mapping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.xml.XMLConstants;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xml.sax.SAXException;

class MappingReaderTest {
  private static final String ROOT = "<durability xmlns='urn:understudy:durability:1' service='shop.Orders'>\n";

  private static String resource(String name) throws IOException {
    try (InputStream in = MappingReaderTest.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static DurabilityMapping read(String text) throws MappingException {
    return MappingReader.read("orders.xml", text.getBytes(StandardCharsets.UTF_8));
  }

  private static String problems(String text) {
    return assertThrows(MappingException.class, () -> read(text)).getMessage();
  }

  /** A mapping with one object, whose mechanism is in the third line. */
  private static String object(String mechanism) {
    return ROOT + "<object name='bills' interface='shop.Bills' class='shop.BillMap'>\n" + mechanism + "</object></durability>";
  }

  private static String database(String content) {
    return object("<database><recovery query='SELECT a FROM t'>add(row[0])</recovery>\n" + content + "</database>");
  }

  private static Schema schema() throws SAXException {
    return SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
        .newSchema(MappingReader.class.getResource("durability-mapping-1.xsd"));
  }

  @Test
  void theThesisExampleIsRead() throws Exception {
    DurabilityMapping mapping = read(resource("matchmaker.xml"));
    assertEquals("matchmaker.Matchmaker", mapping.service());
    assertEquals("matchmaker.durable.Matchmaker", mapping.generated());
    assertEquals("matchmaker.NoMatchingMachine", mapping.faults().get(0).className());
    assertEquals(false, mapping.faults().get(0).keepsChanges());
    assertEquals(true, mapping.operations().get(0).read());
    assertEquals(List.of("machines", "accounts", "visitors"), mapping.objects().stream().map(StateObject::name).toList());
    StateObject machines = mapping.objects().get(0);
    assertEquals(Mechanism.REPLICATION, machines.mechanism());
    assertEquals(
        List.of(new Expression.Literal(10L), new Expression.Literal("first's"), new Expression.Literal(true)),
        machines.instructions().initialization().orElseThrow().arguments());
    assertEquals(Optional.of("toBytes"), machines.instructions().checkpoint());
    assertEquals(Optional.of("fromBytes"), machines.instructions().restore());
    assertEquals(Optional.of(List.of("java.lang.String", "int")), machines.methods().get(0).parameters());
    assertEquals(Optional.of(List.of()), machines.methods().get(1).parameters());
    assertEquals(Optional.of(new StateUpdate.Repeat(Optional.empty())), machines.methods().get(2).update());
    StateUpdate.Repeat other = (StateUpdate.Repeat) machines.methods().get(3).update().orElseThrow();
    assertEquals(
        List.of(new Expression.Argument(0, List.of("id")), new Expression.Argument(0, List.of("job"))),
        other.call().orElseThrow().arguments());
    assertEquals(Optional.of(new StateUpdate.Capture()), machines.methods().get(4).update());
    assertEquals(Optional.of(new StateUpdate.Capture()), machines.methods().get(5).update());
    StateObject accounts = mapping.objects().get(1);
    assertEquals(
        List.of("CREATE TABLE bills (clientID INT, balance INT) ENGINE = INNODB", "INSERT INTO bills VALUES (0, 'it''s ; arg[0]')"),
        accounts.instructions().tables().stream().map(SqlStatement::sql).toList());
    Query query = accounts.instructions().queries().get(0);
    assertEquals(2, query.columns());
    assertEquals(
        List.of(new Expression.New("Bill", List.of(new Expression.Column(0), new Expression.Column(1)))), query.call().arguments());
    StateUpdate.Statements insert = (StateUpdate.Statements) accounts.methods().get(1).update().orElseThrow();
    assertEquals("INSERT INTO bills (clientID, balance) VALUES (?, ?)", insert.statements().get(0).sql());
    assertEquals(
        List.of(new Expression.Argument(0, List.of()), new Expression.Argument(1, List.of("amount", "value"))),
        insert.statements().get(0).arguments());
    assertEquals(Optional.empty(), insert.when());
    StateUpdate.Statements set = (StateUpdate.Statements) accounts.methods().get(2).update().orElseThrow();
    assertEquals(Optional.of(new Expression.Returned(List.of())), set.when());
    assertEquals(Optional.of(new StateUpdate.Memory()), mapping.objects().get(2).methods().get(1).update());
    assertEquals(Optional.empty(), mapping.objects().get(2).methods().get(0).update());
  }

  @Test
  void theSchemaAcceptsTheExample() throws Exception {
    schema().newValidator().validate(new StreamSource(new StringReader(resource("matchmaker.xml"))));
  }

  @Test
  void theGeneratedClassHasADefaultName() throws Exception {
    assertEquals("shop.DurableOrders", read(object("<reconstruction/>")).generated());
  }

  @Test
  void aMessageNamesFileLineColumnAndElement() {
    assertEquals(
        "orders.xml:3:14: <update method=\"insert\">: An update has one of the elements repeat and capture; this one has 2.",
        problems(object("<replication><update method='insert'><repeat deterministic='true'/><capture/></update></replication>")));
  }

  @Test
  void everyProblemIsReported() {
    String problems = problems(
        object("<replication><raed method='a'/>\n<update method='b'><repeat/></update></replication>"));
    assertEquals(2, problems.lines().count(), problems);
    assertTrue(
        problems.contains("orders.xml:3:14: <raed method=\"a\">: The element is unknown in <replication>; did you mean read?"), problems);
    assertTrue(problems.contains("orders.xml:4:20: <repeat>: repeat needs deterministic=\"true\""), problems);
  }

  /** The structure is refused by the reader and by the schema. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
      "<replication><update method='b'><repeat/></update></replication> | repeat needs deterministic",
      "<replication><update method='b'><repeat deterministic='false'/></update></replication> | repeat needs deterministic",
      "<replication><update methd='b'/></replication> | The attribute methd is unknown; did you mean method?",
      "<replication><update/></replication> | The attribute method is missing.",
      "<replication>text</replication> | Text is not allowed here: \"text\".",
      "<replicaton/> | The element is unknown in <object name=\"bills\">; did you mean replication?",
      "<replication/><database/> | exactly one of the elements",
      "<replication><update method='a b'/></replication> | The attribute method is not a Java identifier: \"a b\".",
      "<reconstruction><update method='a'><repeat deterministic='true'/></update></reconstruction> | The element is unknown in",
      "<database><recovery>add(row[0])</recovery></database> | The attribute query is missing.",
      "<database><checkpoint method='m'/></database> | The element is unknown in <database>",
  })
  void theStructureIsChecked(String mechanism, String message) throws Exception {
    String problems = problems(object(mechanism));
    assertTrue(problems.contains(message), problems);
    Schema schema = schema();
    assertThrows(
        SAXException.class, () -> schema.newValidator().validate(new StreamSource(new StringReader(object(mechanism)))));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
      "INSRT INTO t VALUES (arg[0]) | The statement begins with \"INSRT\"; did you mean INSERT?",
      "DROP TABLE t | Allowed here: INSERT, UPDATE, DELETE, MERGE, REPLACE.",
      "COMMIT | The statement begins with \"COMMIT\"",
      "INSERT INTO t (a, b) VALUES (arg[0]) | The INSERT has 1 values for 2 columns.",
      "INSERT INTO t VALUES (1, 2), (3) | The INSERT has 1 values for 2 columns.",
      "INSERT INTO t VALUES ('a) | A ' has no end.",
      "INSERT INTO t VALUES (1 | The statement has a \"(\" without a \")\".",
      "INSERT INTO t VALUES 1) | The statement has a \")\" without a \"(\".",
      "INSERT INTO t VALUES (?) | \"?\" stands in the statement.",
      "INSERT INTO t VALUES (arg[x]) | An index is a number",
      "INSERT INTO t VALUES (arg [x]) | An index is a number",
      "INSERT INTO t VALUES (row[0]) | row[…] stands in the call of a recovery only.",
      "INSERT INTO t VALUES ('a\\'') | contains a backslash",
      "UPDATE t SET a = 1 /* | A comment has no end.",
      "` ` | The update has no statement.",
      "UPDATE t SET a = 1; DELETE FROM t; TRUNCATE TABLE t | The statement begins with \"TRUNCATE\"",
  })
  void theFormOfStatementsIsChecked(String sql, String message) {
    String problems = problems(database("<update method='set'>" + sql + "</update>"));
    assertTrue(problems.contains("orders.xml:4:1: <update method=\"set\">: "), problems);
    assertTrue(problems.contains(message), problems);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
      "SELECT a, f(b, c) FROM t | add(row[2]) | row[2] does not exist: the query has 2 columns, from row[0].",
      "SELECT a FROM t | add(new Bill(row[1])) | row[1] does not exist",
      "SELECT a FROM t | add(arg[0]) | A recovery has no arguments of an update.",
      "SELECT a FROM t | add | A \"(\" is missing after \"add\".",
      "SELECT a FROM t | add(row[0]) more | The text does not end after \"add(row[0])\".",
      "SELECT a FROM t | add(rows[0]) | \"rows\" is not a value.",
      "DELETE FROM t | add(1) | Allowed here: SELECT, WITH, VALUES, TABLE.",
      "SELECT a FROM t; SELECT b FROM t | add(1) | A query is one statement without arguments.",
      "SELECT a FROM t | add(99999999999999999999) | is not a whole number of 64 bits.",
      "SELECT a FROM t | add('x) | A string has no end.",
      "SELECT a FROM t | add(new A(new A(new A(new A(new A(new A(new A(new A(new A(1)))))))))) | More than 8 objects are nested.",
  })
  void recoveriesAreChecked(String query, String call, String message) {
    String problems = problems(object("<database><recovery query=\"" + query + "\">" + call + "</recovery></database>"));
    assertTrue(problems.contains(message), problems);
  }

  @Test
  void anyNumberOfColumnsIsPossibleWhereOnlyTheDatabaseKnowsIt() throws Exception {
    String mapping = object("<database><recovery query='SELECT t.* FROM t'>add(row[7])</recovery></database>");
    assertEquals(-1, read(mapping).objects().get(0).instructions().queries().get(0).columns());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
      "<fault class='shop.E' changes='kept'/> | It is keep or undo.",
      "<fault class='shop.E' changes='keep'/><fault class='shop.E' changes='undo'/> | The mapping has two elements for the fault shop.E.",
      "<operation name='find' kind='reads'/> | It is read or update.",
      "<operation name='find' kind='read'/><operation name='find' kind='update'/> | two elements for the operation find",
      "<object name='bills' interface='a.B' class='a.C'><reconstruction/></object> | two elements for the object bills",
      "<object name='Bills' interface='a.B' class='a.C'><reconstruction/></object> | differs only in case from that of the object",
      "<object name='1' interface='a.B' class='a.C'><reconstruction/></object> | The attribute name is not a Java identifier",
      "<object name='x' interface='a.B;' class='a.C'><reconstruction/></object> | The attribute interface is not a name of a class",
      "<object name='x' interface='a.B' class='a.C'/> | exactly one of the elements",
  })
  void rulesAreUnique(String element, String message) {
    String mapping = object("<reconstruction/>").replace("</durability>", element + "</durability>");
    assertTrue(problems(mapping).contains(message), problems(mapping));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
      "remove(returned.id) | it cannot use what the method returns. Use <capture/>.",
      "remove(new Key(row[0])) | row[…] stands in recoveries only.",
  })
  void repeatedCallsHaveArguments(String call, String message) {
    String problems = problems(
        object("<replication><update method='a'><repeat deterministic='true'>" + call + "</repeat></update></replication>"));
    assertTrue(problems.contains(message), problems);
  }

  @Test
  void aMethodIsListedOnce() {
    String problems = problems(object("<reconstruction><read method='a'/><update method='a'/></reconstruction>"));
    assertTrue(problems.contains("The method a is listed twice. The other one is in line 3."), problems);
  }

  @Test
  void aDatabaseNeedsARecovery() {
    String problems = problems(object("<database><read method='a'/></database>"));
    assertTrue(problems.contains("The element recovery is missing"), problems);
  }

  @Test
  void checkpointAndRestoreBelongTogether() {
    String problems = problems(object("<replication><checkpoint method='m'/></replication>"));
    assertTrue(problems.contains("The elements checkpoint and restore belong together"), problems);
  }

  @Test
  void aMappingHasAnObject() {
    assertTrue(problems(ROOT + "</durability>").contains("The mapping has no object."));
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "",
      "<durability",
      "<other xmlns='urn:understudy:durability:1'/>",
      "<durability/>",
      "<!DOCTYPE durability [<!ENTITY e 'x'>]><durability xmlns='urn:understudy:durability:1' service='&e;'/>",
      "<!DOCTYPE d SYSTEM 'file:///etc/passwd'><durability xmlns='urn:understudy:durability:1' service='a.B'/>"
  })
  void whatIsNoMappingIsRefused(String text) {
    assertTrue(problems(text).startsWith("orders.xml:"), problems(text));
  }

  @Test
  void brokenXmlIsLocatedWithoutAnElement() {
    String problem = problems(ROOT + "<object\n name='a'></fault></durability>");
    assertEquals("orders.xml:3:17: The file is not a mapping in XML: Unexpected close tag </fault>; expected </object>.", problem);
    assertEquals("orders.xml:1:1: The file is not a mapping in XML: Unexpected EOF in prolog", problems(""));
  }

  @Test
  void hostileSizesAreRefused() {
    assertTrue(problems(ROOT + " ".repeat(MappingReader.MAX_BYTES)).contains("The mapping is larger than 1048576 bytes."));
    String deep = "<object>".repeat(1_000);
    assertTrue(problems(ROOT + deep).contains("The file is not a mapping in XML"), "depth");
    String many = "<fault/>".repeat(30_000);
    assertTrue(problems(ROOT + many).contains("The file is not a mapping in XML"), "elements");
  }

  @Test
  void aFileIsNamedWithoutItsDirectory(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("shop.xml");
    Files.writeString(file, ROOT + "</durability>");
    MappingException refused = assertThrows(MappingException.class, () -> MappingReader.read(file));
    assertEquals("shop.xml:1:1: <durability service=\"shop.Orders\">: The mapping has no object.", refused.getMessage());
    assertEquals(1, refused.problems().size());
  }
}
