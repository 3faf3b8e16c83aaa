package org.understudy.session.record;

import java.lang.reflect.Proxy;
import java.security.Key;
import java.security.cert.CertPath;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The classes that may occur in attributes: those of the web application, values and collections of the JDK, and those that the
 * administrator lists. Both sides check: an attribute with another class fails where it is set, not at the replica that reads it.
 */
public final class AttributeClasses {
  private static final Set<String> JDK_PACKAGES =
      Set.of(
          "java.awt.geom", "java.math", "java.text", "java.time", "java.time.chrono", "java.time.temporal", "java.time.zone", "java.util",
          "java.util.concurrent", "java.util.concurrent.atomic",
          // Parts of concurrent maps.
          "java.util.concurrent.locks", "java.util.regex");
  /** What writes keys, public or not. */
  static final String KEYS = "java.security.KeyRep";

  private static final String XML = "com.sun.org.apache.xerces.internal.jaxp.datatype.";
  private static final Set<String> JDK_CLASSES =
      Set.of(
          "java.lang.Boolean", "java.lang.Byte", "java.lang.Character", "java.lang.Double", "java.lang.Enum", "java.lang.Float",
          "java.lang.Integer", "java.lang.Long", "java.lang.Number", "java.lang.Object", "java.lang.Short", "java.lang.String",
          "java.lang.String$CaseInsensitiveComparator",
          "java.lang.StringBuffer", "java.lang.StringBuilder", "java.net.URI", "java.sql.Date", "java.sql.Time",
          "java.sql.Timestamp", "java.time.Ser", "java.io.File", "java.lang.StackTraceElement", "java.awt.Color", "java.awt.Dimension",
          "java.awt.Insets", "java.awt.Point", "java.awt.Rectangle", "java.net.Inet4Address", "java.net.Inet6Address",
          "java.net.InetAddress", "java.net.InetSocketAddress", "java.net.SocketAddress", "java.net.UnixDomainSocketAddress",
          "java.net.UnixDomainSocketAddress$Ser", "java.net.URL", "java.util.logging.Level", "javax.management.ObjectName",
          "javax.naming.CompositeName", "javax.naming.CompoundName", "javax.naming.ldap.LdapName", "javax.naming.ldap.Rdn",
          "javax.xml.namespace.QName", "javax.security.auth.Subject", "javax.security.auth.Subject$SecureSet",
          "javax.security.auth.x500.X500Principal",
          // Keys and certificates are written as what they are encoded to. Private and secret keys are rejected by RestoredObjects.
          KEYS, "java.security.cert.Certificate$CertificateRep", "java.security.cert.CertPath$CertPathRep",
          // What factories of the JDK return: time zones, calendars, dates and durations of XML.
          "sun.util.BuddhistCalendar", "sun.util.calendar.ZoneInfo",
          XML + "DurationDayTimeImpl", XML + "DurationImpl", XML + "DurationImpl$DurationStream", XML + "DurationYearMonthImpl",
          XML + "XMLGregorianCalendarImpl",
          // A lambda is restored by the class that contains it, a proxy with its handler: both are checked too.
          "java.lang.invoke.SerializedLambda", "java.lang.reflect.Proxy", "sun.reflect.annotation.AnnotationInvocationHandler");

  /** Of a request that waits for a login, and of the filter against forged requests. */
  private static final Set<String> TOMCAT_CLASSES =
      Set.of(
          "org.apache.catalina.filters.CsrfPreventionFilter$LruCache", "org.apache.catalina.filters.CsrfPreventionFilter$LruCache$1",
          "jakarta.servlet.http.Cookie", "org.apache.catalina.authenticator.SavedRequest", "org.apache.tomcat.util.buf.AbstractChunk",
          "org.apache.tomcat.util.buf.ByteChunk");

  /** Expressions, which the state of a view of Jakarta Faces contains. */
  private static final Set<String> TOMCAT_PACKAGES = Set.of("jakarta.el", "org.apache.el", "org.apache.el.lang");

  private final ClassLoader application;
  private final Set<String> names;
  private final List<String> prefixes;

  /**
   * @param application the class loader of the web application
   * @param listed more classes by their names; a name that ends with {@code .*} means a package without its sub-packages
   */
  public AttributeClasses(ClassLoader application, List<String> listed) {
    this.application = application;
    List<String> packages = new ArrayList<>();
    List<String> classes = new ArrayList<>();
    for (String name : listed) {
      if (name.endsWith(".*")) {
        packages.add(name.substring(0, name.length() - 2));
      } else {
        classes.add(name);
      }
    }
    this.names = Set.copyOf(classes);
    this.prefixes = List.copyOf(packages);
  }

  ClassLoader loader() {
    return application;
  }

  /** Whether objects of this class may occur; for an array, objects of its elements' class. */
  boolean allows(Class<?> type) {
    Class<?> element = type;
    while (element.isArray()) {
      element = element.getComponentType();
    }
    if (element.isPrimitive() || element.isInterface()) {
      // Of an array, a proxy or a class that is itself a value. The objects in them are checked.
      return true;
    }
    if (Proxy.isProxyClass(element)) {
      // Its handler is an object of its own.
      return true;
    }
    String name = element.getName();
    String container = element.getPackageName();
    if (names.contains(name) || TOMCAT_CLASSES.contains(name) || TOMCAT_PACKAGES.contains(container) || prefixes.contains(container)) {
      return true;
    }
    ClassLoader loader = element.getClassLoader();
    if (loader == null || loader == ClassLoader.getPlatformClassLoader()) {
      return JDK_CLASSES.contains(name) || JDK_PACKAGES.contains(container) || isException(element) || isEnum(element)
          || isCredential(element);
    }
    return isOfApplication(loader);
  }

  /** Exceptions of the JDK, which those of web applications extend. */
  private static boolean isException(Class<?> type) {
    return Throwable.class.isAssignableFrom(type) && type.getName().startsWith("java.");
  }

  /** A constant of an enum is restored by its name. */
  private static boolean isEnum(Class<?> type) {
    return Enum.class.isAssignableFrom(type);
  }

  /** What keys and certificates are restored to by their factories. */
  private static boolean isCredential(Class<?> type) {
    return Key.class.isAssignableFrom(type) || Certificate.class.isAssignableFrom(type) || CertPath.class.isAssignableFrom(type);
  }

  /** Whether the administrator lists this class. */
  boolean lists(String name) {
    return names.contains(name);
  }

  private boolean isOfApplication(ClassLoader loader) {
    for (ClassLoader one = loader; one != null; one = one.getParent()) {
      if (one == application) {
        return true;
      }
    }
    return false;
  }
}
