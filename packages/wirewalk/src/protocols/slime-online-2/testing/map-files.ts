/** Files with rooms, made for tests: none of them is of a real game. */
import { encodeLatin1 } from "../../../wire/index.ts";
import { type MapFiles, memoryFiles } from "../../map-files.ts";

/** Files by path; an object is written as JSON. Texts are ASCII. */
export function filesOf(files: Readonly<Record<string, string | object>>, name = "rooms"): MapFiles {
  return memoryFiles(
    name,
    new Map(
      Object.entries(files).map(([path, content]) => {
        return [path, encodeLatin1(typeof content === "string" ? content : JSON.stringify(content))];
      }),
    ),
  );
}

/** A project with three rooms: a yard with a pool, a cellar, and one that nothing is known of. */
export const project: Readonly<Record<string, string | object>> = {
  "made.project.gmx": `<!--made for a test-->
<assets>
  <Configs name="configs"><Config>Configs\\Default</Config></Configs>
  <rooms name="rooms">
    <room>rooms\\rm_menu</room>
    <rooms name="outside"><room>rooms\\rm_yard</room></rooms>
    <room>rooms\\rm_cellar</room>
  </rooms>
</assets>
`,
  "objects.json": {
    format: "slime-online-2-objects",
    version: 1,
    objects: {
      obj_ground: "solid",
      obj_pool: { is: "water", w: 16, h: 16 },
      obj_frozen: { is: ["solid", "ice"], w: 32, h: 8 },
      obj_slope: { is: "free", w: 32, h: 32 },
      obj_start: "spawn",
      obj_lamp: "ignore",
    },
  },
  "rooms/rm_menu.room.gmx": "<room><width>640</width><height>480</height><instances/></room>",
  "rooms/RM_yard.room.gmx": `<?xml version="1.0" encoding="utf-8"?>
<room>
  <caption></caption>
  <width>960</width>
  <height>480</height>
  <code>rm_points = 1&#xA;</code>
  <instances>
    <instance objName="obj_ground" x="0" y="432" name="inst_1" locked="0" code="" scaleX="60" scaleY="3" rotation="0"/>
    <instance objName="obj_brick" x="320" y="384" name="inst_2" locked="0" code="" scaleX="-2" scaleY="1" rotation="0"/>
    <instance objName="obj_pool" x="400" y="440" name="inst_3" locked="0" code="" scaleX="1,5" scaleY="2" rotation="0"/>
    <instance objName="obj_frozen" x="500" y="424" name="inst_4" locked="0" code="" scaleX="1" scaleY="1" rotation="0"/>
    <instance objName="obj_slope" x="600" y="400" name="inst_5" locked="0" code="" scaleX="1" scaleY="1" rotation="0"/>
    <instance objName="obj_start" x="200" y="432" name="inst_6" locked="0" code="" scaleX="1" scaleY="1" rotation="0"/>
    <instance objName="obj_lamp" x="200" y="300" name="inst_7" locked="0" code="" scaleX="1" scaleY="1" rotation="0"/>
    <instance objName="warp_vert" x="944" y="368" name="inst_8" locked="0" code="next_room = 2&#xD;&#xA;new_x = 40 // left&#xD;&#xA;new_y = 432;&#xD;&#xA;" scaleX="1" scaleY="4" rotation="0"/>
    <instance objName="warp_hor" x="10" y="470" name="inst_9" locked="0" code="next_room = rm_menu&#xD;&#xA;new_x = x&#xD;&#xA;" scaleX="1" scaleY="1" rotation="0"/>
  </instances>
  <tiles>
    <tile bgName="back" x="0" y="0" w="16" h="16" xo="0" yo="0" id="1" name="tile_1" depth="1" locked="0" colour="4294967295" scaleX="1" scaleY="1"/>
  </tiles>
</room>
`,
  "rooms/rm_cellar.room.gmx": `<room><width>640</width><height>448</height><instances>
    <instance objName="obj_ground" x="0" y="432" scaleX="40" scaleY="1"/>
    <instance objName="obj_lever" x="100" y="400"/>
    <instance objName="obj_lever" x="200" y="400"/>
    <instance objName="warp_vert" x="0" y="368" code="if (open = 1) next_room = 1 else next_room = 0"/>
    <instance objName="warp_vert" x="600" y="368" code="next_room = 9"/>
  </instances></room>`,
  "objects/obj_ground.object.gmx":
    "<object><spriteName>spr_block</spriteName><solid>-1</solid><maskName>&lt;undefined&gt;</maskName><parentName>&lt;undefined&gt;</parentName></object>",
  "objects/obj_brick.object.gmx":
    "<object><spriteName>spr_block</spriteName><maskName>&lt;undefined&gt;</maskName><parentName>obj_ground</parentName></object>",
  "objects/warp_vert.object.gmx": "<object><spriteName>spr_door</spriteName></object>",
  "sprites/spr_block.sprite.gmx":
    "<sprite><xorig>0</xorig><yorigin>0</yorigin><width>16</width><height>16</height></sprite>",
  "sprites/spr_door.sprite.gmx":
    "<sprite><xorig>8</xorig><yorigin>0</yorigin><bbox_left>0</bbox_left><bbox_right>15</bbox_right><bbox_top>0</bbox_top><bbox_bottom>15</bbox_bottom><width>16</width><height>16</height></sprite>",
};

/** What the tool of the community writes. */
export const roomData = {
  rooms: {
    rm_yard: {
      index: 1,
      width: 960,
      height: 480,
      has_collectibles: true,
      spawn_points: [{ x: 171, y: 120 }],
      warps: [
        { x: 944, y: 368, type: "warp_vert", next_room: 2, new_x: 40, new_y: 432 },
        { x: 10, y: 470, type: "warp_hor", next_room: "rm_menu", new_x: "x", new_y: null },
      ],
      npcs: [],
      shops: [],
      special_objects: [{ obj_name: "obj_warpcenter", x: 300, y: 400, code: "", instance_id: 7 }],
    },
    rm_menu: { index: 0, width: 640, height: 480, warps: [], special_objects: [] },
    rm_cellar: { index: 2, width: 0, height: 0, warps: [] },
    rm_lost: { index: -1, width: 640, height: 480, warps: [] },
  },
  room_order: ["rm_menu", "rm_yard", "rm_cellar"],
};
