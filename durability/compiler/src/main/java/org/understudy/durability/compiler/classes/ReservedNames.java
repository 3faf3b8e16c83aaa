package org.understudy.durability.compiler.classes;

import java.lang.reflect.Method;
import java.util.List;

/** Signatures of methods of the base classes of what is generated: a method of a user with one of them would override it. */
public final class ReservedNames {
  private static final List<String> OF_PROXIES = List.of(
      "name()", "init()", "recover()", "startA()", "commitA()", "abortA()", "startTA(String)", "commitTA()", "abortTA()", "object()",
      "capture()", "update()", "updating()", "updated()", "ended()", "sql()", "statements()", "columnTypes()",
      "fieldsOf(Object)");
  private static final List<String> OF_SERVICES = List.of(
      "captureState()", "restoreState(byte[])", "captureUpdate()", "applyUpdate(byte[])", "compareReplay(byte[], List, byte[])", "shape()",
      "startTransaction(String)", "enter(String)", "leave()", "commitTransaction(String)", "abortTransaction(String)",
      "durableObjects()", "startA()", "endA(boolean)", "database()", "decisionStore()", "isDatabaseOnly()", "prepareDatabase()",
      "reload()", "databaseChanged()");

  private ReservedNames() {}

  /** Whether a method of a state object's interface has such a signature. */
  public static boolean isOfProxies(Method method) {
    return OF_PROXIES.contains(Types.signature(method));
  }

  /** Whether a method of a service has such a signature. */
  public static boolean isOfServices(Method method) {
    return OF_SERVICES.contains(Types.signature(method));
  }
}
