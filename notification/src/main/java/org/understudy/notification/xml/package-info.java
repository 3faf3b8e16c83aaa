/** XML from outside, read within limits, and pieces of it carried elsewhere. */
package org.understudy.notification.xml;
