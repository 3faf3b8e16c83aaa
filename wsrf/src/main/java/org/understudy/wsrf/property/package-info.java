/** WS-ResourceProperties 1.2: the property document of a resource, and the operations that read and change it. */
package org.understudy.wsrf.property;
