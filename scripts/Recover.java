import com.sun.tools.attach.VirtualMachine;
import java.util.Set;
import javax.management.MBeanException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Calls the JMX operations of a replica in another process of the same user; see scripts/recover. */
public final class Recover {
  /** The process, the group or an empty text, and the lost replicas for a recovery. */
  public static void main(String[] words) throws Exception {
    VirtualMachine machine = VirtualMachine.attach(words[0]);
    String url = machine.startLocalManagementAgent();
    machine.detach();
    try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(url))) {
      MBeanServerConnection server = connector.getMBeanServerConnection();
      ObjectName replica = replica(server, words[0], words[1]);
      System.out.println(replica);
      boolean survey = words.length == 2;
      System.out.println(
          survey
              ? server.invoke(replica, "survey", new Object[0], new String[0])
              : server.invoke(
                  replica, "recover", new Object[] {words[2]}, new String[] {String.class.getName()}));
    } catch (RuntimeMBeanException | MBeanException e) {
      System.err.println("recover: not done: " + e.getCause().getMessage());
      System.exit(1);
    }
  }

  private static ObjectName replica(MBeanServerConnection server, String process, String group) throws Exception {
    String named = group.isEmpty() ? "*" : "group=" + ObjectName.quote(group) + ",*";
    Set<ObjectName> names = server.queryNames(new ObjectName("org.understudy:type=Replica," + named), null);
    if (names.size() != 1) {
      System.err.println(
          names.isEmpty()
              ? "recover: process " + process + " runs no replica" + (group.isEmpty() ? "." : " of the group " + group + ".")
              : "recover: process " + process + " runs replicas of several groups. Add --group NAME:");
      names.forEach(name -> System.err.println("  --group '" + ObjectName.unquote(name.getKeyProperty("group")) + "'"));
      System.exit(1);
    }
    return names.iterator().next();
  }
}
