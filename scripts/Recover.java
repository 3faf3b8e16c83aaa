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
  public static void main(String[] words) throws Exception {
    VirtualMachine machine = VirtualMachine.attach(words[0]);
    String url = machine.startLocalManagementAgent();
    machine.detach();
    try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(url))) {
      MBeanServerConnection server = connector.getMBeanServerConnection();
      Set<ObjectName> names = server.queryNames(new ObjectName("org.understudy:type=Replica,*"), null);
      if (names.size() != 1) {
        System.err.println("recover: process " + words[0] + " runs " + names.size() + " replicas, not one: " + names);
        System.exit(1);
      }
      ObjectName replica = names.iterator().next();
      System.out.println(replica);
      boolean survey = words.length == 1;
      System.out.println(
          survey
              ? server.invoke(replica, "survey", new Object[0], new String[0])
              : server.invoke(
                  replica, "recover", new Object[] {words[1]}, new String[] {String.class.getName()}));
    } catch (RuntimeMBeanException | MBeanException e) {
      System.err.println("recover: not done: " + e.getCause().getMessage());
      System.exit(1);
    }
  }
}
