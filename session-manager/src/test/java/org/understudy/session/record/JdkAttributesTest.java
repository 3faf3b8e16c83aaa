package org.understudy.session.record;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
import java.awt.Font;
import java.awt.geom.Path2D;
import java.awt.geom.Point2D;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertPath;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.sql.JDBCType;
import java.sql.Timestamp;
import java.text.DateFormat;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.MessageFormat;
import java.text.NumberFormat;
import java.text.SimpleDateFormat;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.chrono.JapaneseDate;
import java.time.temporal.ChronoUnit;
import java.time.temporal.ValueRange;
import java.time.temporal.WeekFields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Calendar;
import java.util.Collections;
import java.util.Comparator;
import java.util.Currency;
import java.util.Date;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.SimpleTimeZone;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import javax.management.BadAttributeValueExpException;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.naming.InvalidNameException;
import javax.naming.Reference;
import javax.naming.ldap.LdapName;
import javax.security.auth.Subject;
import javax.security.auth.x500.X500Principal;
import javax.xml.datatype.DatatypeConfigurationException;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.datatype.XMLGregorianCalendar;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.understudy.test.network.Keytool;

/** Hard values of classes of the JDK as attributes: what is kept is what Java's serialization restores, and the rest is refused. */
class JdkAttributesTest {
  private static final ClassLoader APPLICATION = new ClassLoader(JdkAttributesTest.class.getClassLoader()) {};

  private final AttributeForm form = new AttributeForm(new AttributeClasses(APPLICATION, List.of()));

  private static byte[] written(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }

  private static Object restored(Object value) throws IOException, ClassNotFoundException {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(written(value)))) {
      return in.readObject();
    }
  }

  private Object kept(Object value) {
    byte[] bytes = form.write("a", value, 0);
    form.verify("a", value, bytes);
    return form.read("a", bytes);
  }

  private static Arguments of(Object value) {
    return Arguments.of(value.getClass().getName(), value);
  }

  private static Calendar calendar(String zone, Locale locale) {
    Calendar calendar = Calendar.getInstance(TimeZone.getTimeZone(zone), locale);
    // The hour that comes twice: the second time.
    calendar.setTimeInMillis(Instant.parse("2026-10-25T01:30:00.123Z").toEpochMilli());
    calendar.setLenient(false);
    calendar.setFirstDayOfWeek(Calendar.WEDNESDAY);
    calendar.setMinimalDaysInFirstWeek(3);
    return calendar;
  }

  private static SimpleDateFormat dateFormat() {
    SimpleDateFormat format = new SimpleDateFormat("EEEE dd. MMMM yyyy HH:mm:ss.SSS zzzz", Locale.GERMANY);
    format.setTimeZone(TimeZone.getTimeZone("GMT+05:30"));
    format.set2DigitYearStart(Date.from(Instant.EPOCH));
    return format;
  }

  private static XMLGregorianCalendar xmlTime(String text) throws DatatypeConfigurationException {
    return DatatypeFactory.newInstance().newXMLGregorianCalendar(text);
  }

  private static Stream<Arguments> times() throws DatatypeConfigurationException {
    DatatypeFactory xml = DatatypeFactory.newInstance();
    return Stream.of(
        calendar("Europe/Berlin", Locale.GERMANY), calendar("Asia/Tokyo", new Locale("ja", "JP", "JP")),
        calendar("Asia/Bangkok", new Locale("th", "TH")), new GregorianCalendar(-1, Calendar.FEBRUARY, 30),
        TimeZone.getTimeZone("Europe/Berlin"), TimeZone.getTimeZone("GMT+05:30"), TimeZone.getTimeZone("UTC"),
        new SimpleTimeZone(3_600_000, "own", Calendar.MARCH, -1, Calendar.SUNDAY, 0, Calendar.OCTOBER, -1, Calendar.SUNDAY, 0),
        dateFormat(), DateFormat.getDateTimeInstance(DateFormat.FULL, DateFormat.FULL, Locale.JAPAN),
        xmlTime("12345678901-02-28T23:59:59.123456789+14:00"), xmlTime("--02-29"), xmlTime("24:00:00"), xmlTime("2026"),
        xml.newDuration("-P1Y2M3DT4H5M6.123456789S"), xml.newDuration(1), xml.newDurationDayTime("P3DT0.5S"),
        xml.newDurationYearMonth("P1Y13M"), xml.newDuration("P0D"),
        ZonedDateTime.ofLocal(LocalDateTime.of(2026, 10, 25, 2, 30), ZoneId.of("Europe/Berlin"), ZoneOffset.ofHours(1)),
        ZoneId.of("Europe/Berlin").getRules(), JapaneseDate.of(2019, 5, 1), WeekFields.of(DayOfWeek.FRIDAY, 3), ChronoUnit.FOREVER,
        ValueRange.of(1, 2, 3, 4), new Timestamp(123_456_789L), Timestamp.valueOf("2026-10-25 02:30:00.123456789"))
        .map(JdkAttributesTest::of);
  }

  private static Stream<Arguments> names() throws UnknownHostException, MalformedURLException, InvalidNameException,
      MalformedObjectNameException {
    Subject subject = new Subject();
    subject.getPrincipals().add(new X500Principal("CN=Ann, O=\"a, b\""));
    subject.setReadOnly();
    return Stream.of(
        new QName("urn:u", "local", "prefix"), new QName("local"), URI.create("urn:x#y"), new URL("https://example.invalid:8/a?b=c#d"),
        new ArrayList<>(List.of(new URL("file:/a%20b"), "x")), new HashMap<>(Map.of("home", new URL("http://example.invalid/"))),
        InetAddress.getByAddress("a name", new byte[] {1, 2, 3, 4}), InetAddress.getByName("2001:db8::1"),
        new HashMap<>(Map.of(InetAddress.getByAddress(new byte[] {10, 0, 0, 1}), "router")),
        InetSocketAddress.createUnresolved("example.invalid", 80), UnixDomainSocketAddress.of("/tmp/socket"),
        new LdapName("CN=Ann,OU=a\\,b"), new ObjectName("d:type=x,name=\"a,b\""), new X500Principal("CN=Ann"), subject,
        new Locale("ja", "JP", "JP"), new Locale("no", "NO", "NY"), Locale.forLanguageTag("de-DE-u-co-phonebk"),
        Currency.getInstance("EUR"), new File("a b"), Level.INFO, Level.parse("850"), StandardOpenOption.SYNC, JDBCType.BLOB)
        .map(JdkAttributesTest::of);
  }

  private static Map<String, Integer> byAccess() {
    Map<String, Integer> map = new LinkedHashMap<>(16, 0.5f, true);
    map.put("a", 1);
    map.put("b", 2);
    map.get("a");
    return map;
  }

  private static Stream<Arguments> values() {
    DecimalFormat format = new DecimalFormat("#,##0.00 ¤;(#)", DecimalFormatSymbols.getInstance(Locale.FRANCE));
    TreeMap<String, Object> ordered = new TreeMap<>(String.CASE_INSENSITIVE_ORDER.reversed());
    ordered.put("A", Double.NaN);
    ordered.put("b", -0.0);
    Properties properties = new Properties();
    properties.setProperty("a", "b");
    Path2D path = new Path2D.Double();
    path.moveTo(1, 2);
    path.curveTo(1, 2, 3, 4, 5, 6);
    BitSet bits = new BitSet();
    bits.set(1_000);
    return Stream.of(
        new Color(1, 2, 3, 4), new Color(0.1f, 0.2f, 0.3f, 0.4f), new Point2D.Double(-0.0, Double.MIN_VALUE), path, format,
        NumberFormat.getCurrencyInstance(Locale.JAPAN), new MessageFormat("{0,number,#.##} {1,date} {2,choice,0#none|1#one}", Locale.US),
        new BigDecimal("1.50E+30"), BigInteger.ONE.shiftLeft(2_000).negate(), Pattern.compile("a+", Pattern.CASE_INSENSITIVE), bits,
        EnumSet.of(ChronoUnit.DAYS), byAccess(), ordered, properties, Collections.unmodifiableMap(new HashMap<>(Map.of("a", 1))),
        Collections.emptyList(), List.of(1, 2), Arrays.asList("x", null), new StringBuilder("alone \uD800").reverse(),
        new char[][] {{'a'}, null},
        Comparator.naturalOrder(), Collections.nCopies(3, "x"), String.class)
        .map(JdkAttributesTest::of);
  }

  private static Stream<Arguments> publicKeys() throws GeneralSecurityException {
    List<Arguments> keys = new ArrayList<>();
    for (String algorithm : List.of("RSA", "EC", "Ed25519", "X25519")) {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
      keys.add(Arguments.of(algorithm, generator.generateKeyPair().getPublic()));
    }
    return keys.stream();
  }

  /** Compares what the restored objects are written as: many classes have no equals, or one that ignores a part. */
  @ParameterizedTest(name = "{0}")
  @MethodSource({"times", "names", "values", "publicKeys"})
  void whatIsKeptIsWhatSerializationRestores(String type, Object value) throws Exception {
    Object kept = kept(value);
    assertArrayEquals(written(restored(value)), written(kept), type);
    assertEquals(restored(value).getClass(), kept.getClass());
  }

  @Test
  void whatCountsIsKept() throws Exception {
    Calendar berlin = calendar("Europe/Berlin", Locale.GERMANY);
    assertEquals(berlin, kept(berlin));
    assertEquals(dateFormat().format(Date.from(Instant.EPOCH)), ((DateFormat) kept(dateFormat())).format(Date.from(Instant.EPOCH)));
    assertEquals("prefix", ((QName) kept(new QName("u", "l", "prefix"))).getPrefix());
    assertEquals(Level.INFO, kept(Level.INFO));
    PublicKey key = KeyPairGenerator.getInstance("EC").generateKeyPair().getPublic();
    assertEquals(key, kept(key));
  }

  @Test
  void aCertificateAndItsPathAreKept(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("store");
    Keytool.generate(file, "password", "one", "-keyalg", "EC", "-dname", "CN=one");
    KeyStore store = KeyStore.getInstance(file.toFile(), "password".toCharArray());
    Certificate certificate = store.getCertificate("one");
    assertEquals(certificate, kept(certificate));
    CertPath path = CertificateFactory.getInstance("X.509").generateCertPath(List.of(certificate));
    assertEquals(path, kept(path));
  }

  private static Stream<Arguments> refused() throws Exception {
    Object url = new URL("http://example.invalid/");
    HashSet<Object> set = new HashSet<>();
    set.add(url);
    HashMap<Object, Object> nested = new HashMap<>();
    nested.put(new ArrayList<>(List.of("x", url)), "value");
    String name = "its hash code asks the name service";
    String key = "a private or secret key would be stored";
    return Stream.of(
        Arguments.of("URL in a set", set, name), Arguments.of("URL as key", new HashMap<>(Map.of(url, 1)), name),
        Arguments.of("URL in a key", nested, name), Arguments.of("URL in an immutable set", Set.of(url, "x", "y"), name),
        Arguments.of("private key", KeyPairGenerator.getInstance("RSA").generateKeyPair().getPrivate(), key),
        Arguments.of("key pair", KeyPairGenerator.getInstance("EC").generateKeyPair(), "java.security.KeyPair"),
        Arguments.of("secret key", new SecretKeySpec("secret".getBytes(StandardCharsets.US_ASCII), "AES"), key),
        Arguments.of("random", new SecureRandom(), "java.security"),
        Arguments.of("font", new Font("Serif", Font.PLAIN, 12), "java.awt.Font"),
        Arguments.of("record of a log", new LogRecord(Level.INFO, "text"), "LogRecord"),
        Arguments.of("reference", new Reference("java.lang.String"), "javax.naming.Reference"),
        Arguments.of("exception", new BadAttributeValueExpException("text"), "BadAttributeValueExpException"),
        Arguments.of("class", Runtime.class, "java.lang.Runtime"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refused")
  void othersAreRefusedOnWritingWithTheReason(String what, Object value, String reason) {
    AttributeException failure = assertThrows(AttributeException.class, () -> kept(value), what);
    assertEquals(AttributeException.NOT_REPLICATED, failure.getMessage());
    assertTrue(failure.details().contains(reason), failure.details());
  }

  @Test
  void anAdministratorCanPermitKeys() throws Exception {
    AttributeForm listed =
        new AttributeForm(new AttributeClasses(APPLICATION, List.of("java.security.KeyRep", "javax.crypto.spec.SecretKeySpec")));
    for (Object key :
        List.of(KeyPairGenerator.getInstance("EC").generateKeyPair().getPrivate(), new SecretKeySpec(new byte[] {1, 2}, "AES"))) {
      byte[] bytes = listed.write("key", key, 0);
      listed.verify("key", key, bytes);
      assertEquals(key, listed.read("key", bytes));
      assertThrows(AttributeException.class, () -> form.read("key", bytes));
    }
  }
}
