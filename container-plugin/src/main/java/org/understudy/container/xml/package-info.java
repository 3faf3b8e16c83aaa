/** Elements of messages and of kept state: reading, comparing, and writing them so that they stand alone. */
package org.understudy.container.xml;
